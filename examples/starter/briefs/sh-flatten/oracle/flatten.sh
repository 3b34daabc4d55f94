export LC_ALL=C
[ $# = 2 ] && [ -d "$1" ] || exit 2
[ ! -e "$2" ] && [ ! -L "$2" ] || [ -d "$2" ] || exit 2
[ ! "$1" -ef "$2" ] || exit 2
source=$(cd -- "$1" && pwd -P && echo x) || exit 2
source=${source%$'\nx'}
list=$(mktemp)
trap 'rm -f "$list"' EXIT
mkdir -p -- "$2" || exit 2
target=$(cd -- "$2" && pwd -P && echo x) || exit 2
target=${target%$'\nx'}
cd -- "$source" || exit 2
find . -type d -exec test {} -ef "$target" \; -prune -o -type f -printf '%P\n' | sort > "$list"
while IFS= read -r file; do
  name=${file//\//__}
  rest=${name#?}
  if [[ $rest == *.* ]]; then stem=${name%.*} ending=.${name##*.}; else stem=$name ending=''; fi
  new=$name
  for ((n = 2; ; n++)); do
    [ -e "$target/$new" ] || [ -L "$target/$new" ] || break
    new=$stem-$n$ending
  done
  cat "./$file" > "$target/$new"
  [ ! -x "./$file" ] || chmod u+x "$target/$new"
  printf '%s -> %s\n' "$file" "$new"
done < "$list"
exit 0
