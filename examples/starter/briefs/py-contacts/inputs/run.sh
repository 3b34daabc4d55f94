# Runs the program of the submission, in the working directory, on each file of a group.
export LC_ALL=C.UTF-8
for each in "$(dirname "$0")/$1"/*; do
  name=$(basename "$each")
  timeout 30 python3 -B clean.py < "$each" > "${2:-/result}/$name"
  echo "exit code $?" >> "${2:-/result}/$name"
done
