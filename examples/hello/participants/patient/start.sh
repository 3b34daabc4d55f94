#!/bin/sh
# A participant that gets there by a long way: right, slow, and hard to read.
set -eu
cat > /dev/null
echo "Writing it in sh, one character after the other."
cp /agent/summarise.sh summarise
chmod 755 summarise
./summarise < /contest/raw/orders.csv > summary.json
echo "It took a while, but it is right."
