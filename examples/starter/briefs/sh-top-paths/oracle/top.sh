[ $# = 1 ] && [[ $1 =~ ^[1-9][0-9]{0,2}$ ]] || exit 2
export LC_ALL=C
grep -E '^[A-Z]+ /[^ ]* [0-9]{3} ([0-9]+|-)$' | awk '$3 >= 400 && $3 <= 599 {
  path = $2
  sub(/\?.*/, "", path)
  sub(/\/+$/, "", path)
  if (path == "") path = "/"
  count[path]++
}
END { for (path in count) print count[path] " " path }' | sort -k1,1nr -k2 | awk -v most="$1" 'NR <= most'
