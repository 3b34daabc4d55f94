# Runs the script of the submission, in the working directory, on directories that each case makes. The result has the output, the exit code, and the
# kind, the name and the content of each file afterwards.
to=${2:-/result}
umask 022
script=$PWD/flatten.sh
try() {
  name=$1
  shift
  (cd "$top" && timeout 20 bash "$script" "$@" > "$to/$name" 2> /dev/null < /dev/null; echo "exit code $?" >> "$to/$name")
  find "$top" -mindepth 1 -printf '%P\n' | LC_ALL=C sort | while IFS= read -r each; do
    if [ -L "$top/$each" ]; then printf 'link %s\n' "$each"
    elif [ -d "$top/$each" ]; then printf 'directory %s\n' "$each"
    else printf 'file %s: %s%s\n' "$each" "$(cat -- "$top/$each")" "$([ -x "$top/$each" ] && echo ' (executable)')"; fi
  done >> "$to/$name"
}
new() { top=$(mktemp -d); }
put() {
  while [ $# -gt 0 ]; do
    mkdir -p -- "$(dirname -- "$top/$1")"
    printf %s "$2" > "$top/$1"
    shift 2
  done
}
case $1 in
  ordinary)
    new; put s/a.txt 1 s/b/c.txt 2 s/b/d/e.txt 3; try plain s d
    new; put s/a/b.txt 1 s/a__b.txt 2 s/a__b-2.txt 3; try clash s d
    new; put s/a.txt new d/a.txt old; try existing s d
    new; put 's/my dir/my file.txt' 1; try spaces s 'my target'
    new; put s/run.sh x s/plain y; chmod 755 "$top/s/run.sh"; try modes s d
    new; mkdir "$top/s"; try nothing s d
    new; put s/a 1; try no-source none d
    ;;
  corners)
    new; put s/.env 1 s/.git/config 2 d/.env 3 d/.git__config 4 s/notes 5 d/notes 6 s/x.tar.gz 7 d/x.tar.gz 8 d/x.tar-2.gz 9; try hidden s d
    new; put s/a/.b 1 d/a__.b 2 s/c.d/e 3 d/c.d__e 4 s/end. 5 d/end. 6; try dots s d
    new; put s/a 1; ln -s a "$top/s/link"; mkdir "$top/other"; put other/x 2; ln -s ../other "$top/s/dir"; ln -s none "$top/s/dead"; try links s d
    new; put real/a 1; ln -s real "$top/s"; try linked-source s d
    new; put s/a 1 s/out/b 2 s/out/c/d 3; try below s s/out
    new; put s/a 1 s/out2/b 2; try below-new s s/out
    new; put 's/*' 1 's/-n' 2 's/a\b' 3 "s/q'\"" 4 's/ lead' 5 's/trail ' 6 s/-r/-f 7; try names s d
    new; put -s/a 1; try dashes -s -d
    new; put s/B 1 s/a/x 2 s/a-b/x 3 s/a.b 4 s/é 5 s/_ 6; try order s d
    new; put s/a 1 d 2; try file-target s d
    new; put s/a 1; try same s ./s/
    new; put s/a 1; ln -s s "$top/t"; try same-link s t
    new; put s/a 1; try one-argument s
    new; put s/a 1; try three-arguments s d e
    new; put s/a 1; mkdir "$top/d"; ln -s none "$top/d/a"; try taken-by-link s d
    new; put s/a/b 1 s/a__b 2 d/a__b 3 d/a__b-3 4; try gaps s d
    ;;
esac
