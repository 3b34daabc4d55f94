# Uses the module of the submission, in the working directory, and writes what its functions return or raise.
exec python3 -B "$(dirname "$0")/drive.py" "$1" "${2:-/result}"
