# The prompt comes on standard input.
task=$(cat)
case "$task" in
  *"Sort the lines"*) sort -n /contest/raw/numbers > answer.txt ;;
  *"How many lines"*) grep -c . /contest/raw/numbers > answer.txt ;;
  *"Add the numbers"*) awk '{ sum += $1 } END { print sum }' /contest/raw/numbers > answer.txt ;;
esac
