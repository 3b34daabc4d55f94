#!/bin/sh
# A participant that is done before it has thought.
set -eu
cat > /dev/null
cp /agent/summarise.mjs summarise
chmod 755 summarise
./summarise < /contest/raw/orders.csv > summary.json
echo "Easy. Done."
