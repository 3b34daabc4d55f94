# Runs the script of the submission, in the working directory. Each line of the cases has a file, a section and a key, with `|` between them.
here=$(dirname "$0")
to=${2:-/result}
while IFS='|' read -r name file section key; do
  timeout 20 bash ini.sh "$here/$file" "$section" "$key" > "$to/$name" < /dev/null
  echo "exit code $?" >> "$to/$name"
done < "$here/$1.cases"
[ "$1" = ordinary ] && exit
timeout 20 bash ini.sh "$here/simple.ini" server > "$to/two-arguments"
echo "exit code $?" >> "$to/two-arguments"
timeout 20 bash ini.sh "$here/simple.ini" server port 1 > "$to/four-arguments"
echo "exit code $?" >> "$to/four-arguments"
