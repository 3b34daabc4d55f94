export LC_ALL=C
[ $# = 3 ] && [ -f "$1" ] && [ -r "$1" ] || exit 2
trimmed() {
  text=$1
  text=${text#"${text%%[!$' \t']*}"}
  text=${text%"${text##*[!$' \t']}"}
}
section='' found=1 value=''
while IFS= read -r line || [ -n "$line" ]; do
  trimmed "${line%$'\r'}"
  line=$text
  case $line in
    '' | \;* | \#*) continue ;;
    \[*\])
      text=${line#\[}
      trimmed "${text%\]}"
      section=$text
      continue
      ;;
    *=*) ;;
    *) continue ;;
  esac
  trimmed "${line%%=*}"
  [ "$section" = "$2" ] && [ "$text" = "$3" ] || continue
  trimmed "${line#*=}"
  value=$text found=0
done < "$1"
[ $found = 0 ] || exit 1
if [[ ${#value} -ge 2 && $value == \"*\" ]]; then
  quoted=${value:1:${#value}-2} value=''
  for ((at = 0; at < ${#quoted}; at++)); do
    two=${quoted:at:2}
    case $two in
      '\"') value+='"' ;;
      '\\') value+='\' ;;
      '\n') value+=$'\n' ;;
      '\t') value+=$'\t' ;;
      *)
        value+=${two:0:1}
        continue
        ;;
    esac
    at=$((at + 1))
  done
fi
printf '%s\n' "$value"
