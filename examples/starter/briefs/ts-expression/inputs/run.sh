# Runs the program of the submission, in the working directory, on each file of a group.
for each in "$(dirname "$0")/$1"/*; do
  name=$(basename "$each")
  timeout 20 node --no-warnings calc.ts < "$each" > "${2:-/result}/$name"
  echo "exit code $?" >> "${2:-/result}/$name"
done
