# Adds the numbers. Like an agent, it knows only what its prompt says.
prompt=$(cat)
case $prompt in
  *comments*) grep -v '^#' /contest/raw/numbers ;;
  *) tr -d '# ' < /contest/raw/numbers ;;
esac | awk '{ sum += $1 } END { print sum }' > answer.txt
