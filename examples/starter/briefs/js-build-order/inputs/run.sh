# Runs the function of the submission, in the working directory, each case in its own process, and writes what it returns or throws.
for at in 0 1 2 3 4 5 6 7 8 9 10 11; do
  timeout 20 node "$(dirname "$0")/drive.mjs" "$1" "$at" "${2:-/result}/$at" || echo "exit code $?" > "${2:-/result}/$at"
done
