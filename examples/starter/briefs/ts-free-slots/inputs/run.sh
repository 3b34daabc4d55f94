# Runs the functions of the submission, in the working directory, and writes what they return.
exec node --no-warnings "$(dirname "$0")/drive.mjs" "$1" "${2:-/result}"
