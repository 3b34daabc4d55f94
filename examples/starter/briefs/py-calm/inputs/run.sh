# Runs the program of the submission, in the working directory, on each case of a group, up to the first one without an answer.
here=$(dirname "$0")
for name in $(python3 -B "$here/cases.py" "$1"); do
  timeout 20 sh -c 'python3 -B "$0/cases.py" "$1" "$2" | python3 -B calm.py' "$here" "$1" "$name" > "${2:-/result}/$name"
  [ -s "${2:-/result}/$name" ] || exit
done
