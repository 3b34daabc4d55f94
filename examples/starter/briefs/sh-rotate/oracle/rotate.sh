# Rotates the logs in a directory: rotate.sh DIR KEEP
export LC_ALL=C
[ $# = 2 ] && [ -d "$1" ] && [[ $2 =~ ^[1-9][0-9]?$ ]] || exit 2
keep=$2
cd -- "$1" || exit 2
shopt -s nullglob
for log in ./*.log; do
  [ -f "$log" ] && [ ! -L "$log" ] && [ -s "$log" ] || continue
  for ((n = 99; n >= 1; n--)); do
    [ -e "$log.$n" ] || continue
    if ((n >= keep)); then rm -f "$log.$n"; else mv "$log.$n" "$log.$((n + 1))"; fi
  done
  cp -p "$log" "$log.new"
  : > "$log.new"
  mv "$log" "$log.1"
  mv "$log.new" "$log"
  printf 'rotated %s\n' "${log#./}"
done
exit 0
