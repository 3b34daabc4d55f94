# Runs the program of the submission, in the working directory, on each log of a group.
export LC_ALL=C.UTF-8
for each in "$(dirname "$0")/$1"/*; do
  name=$(basename "$each")
  timeout 30 python3 -B sessions.py < "$each" > "${2:-/result}/$name"
  echo "exit code $?" >> "${2:-/result}/$name"
done
[ "$1" = ordinary ] && exit
python3 -B "$(dirname "$0")/generate.py" | timeout 30 python3 -B sessions.py | cksum > "${2:-/result}/large"
