#!/usr/bin/env bash
# Keeps every core busy while a command runs, to try tests under load: scripts/busy.sh npm test
# Ends as the command did.
set -euo pipefail
[ "$#" -gt 0 ] || { echo "usage: scripts/busy.sh COMMAND [ARGUMENT …]" >&2; exit 2; }

busy=()
end() { [ "${#busy[@]}" -eq 0 ] || kill "${busy[@]}" 2>/dev/null || true; }
trap end EXIT
for _ in $(seq "$(nproc)"); do
  # Ends by itself if this script is killed.
  sh -c 'while kill -0 "$1" 2>/dev/null; do i=0; while [ "$i" -lt 100000 ]; do i=$((i+1)); done; done' busy "$$" &
  busy+=("$!")
done
"$@"
