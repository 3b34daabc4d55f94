# Sorts by characters, counts newlines, and adds what it sees first.
task=$(cat)
case "$task" in
  *"Sort the lines"*) sort /contest/raw/numbers > answer.txt ;;
  *"How many lines"*) wc -l < /contest/raw/numbers > answer.txt ;;
  *"Add the numbers"*) head -n 3 /contest/raw/numbers | awk '{ sum += $1 } END { print sum }' > answer.txt ;;
esac
