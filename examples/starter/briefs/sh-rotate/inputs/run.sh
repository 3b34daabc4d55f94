# Runs the script of the submission, in the working directory, on a directory that each case makes. The result has the output, the exit code, and
# the kind, permissions, name and content of each file afterwards.
to=${2:-/result}
umask 022
try() {
  name=$1
  shift
  timeout 20 bash rotate.sh "$@" > "$to/$name" 2> /dev/null < /dev/null
  echo "exit code $?" >> "$to/$name"
  find "$dir" -mindepth 1 -printf '%P\n' | LC_ALL=C sort | while IFS= read -r each; do
    stat -c '%F %a' -- "$dir/$each" | tr '\n' ' '
    if [ -f "$dir/$each" ]; then printf '%s: %s\n' "$each" "$(cat -- "$dir/$each")"; else printf '%s\n' "$each"; fi
  done >> "$to/$name"
}
new() {
  dir=$(mktemp -d)/$1
  mkdir -p -- "$dir"
}
put() { while [ $# -gt 0 ]; do printf %s "$2" > "$dir/$1"; shift 2; done; }
case $1 in
  ordinary)
    new logs; put web.log now web.log.1 one web.log.2 two web.log.3 three other.txt x; try plain "$dir" 3
    new logs; put web.log now db.log d web.log.2 two; try gap "$dir" 5
    new logs; put web.log '' web.log.1 one db.log d; try empty-log "$dir" 2
    new logs; put 'my app.log' now 'my app.log.1' one; try spaces "$dir" 2
    new logs; put a.log now; try one "$dir" 1
    new logs; put a.log now a.log.1 one a.log.2 two; try lowered "$dir" 1
    new logs; try nothing "$dir" 3
    new logs; put a.log now; try no-number "$dir" x
    new logs; put a.log now; try no-directory "$dir/none" 3
    ;;
  corners)
    new 'my logs'; put -n.log now -n.log.1 one '*.log' star '[a].log' set a.log a "it's \"q\".log" q; try names "$dir" 4
    new logs; put a.log now .hidden.log h log x a.logx y a.log.old z; mkdir "$dir/d.log"; ln -s a.log "$dir/link.log"; ln -s none "$dir/dead.log"; try kinds "$dir" 2
    new logs; put a.log now a.log.9 nine a.log.10 ten a.log.99 last a.log.08 eight; try far "$dir" 99
    new logs; put a.log now a.log.9 nine a.log.10 ten a.log.99 last; try far-lowered "$dir" 9
    new logs; put B.log b a.log a Z.log z _.log u é.log e; try order "$dir" 2
    new logs; put a.log now a.log.1 one; chmod 640 "$dir/a.log"; chmod 400 "$dir/a.log.1"; try permissions "$dir" 3
    new logs; put a.log now a.log.1 one; try zero "$dir" 0
    new logs; put a.log now a.log.1 one; try padded "$dir" 03
    new logs; put a.log now; try hundred "$dir" 100
    new logs; put a.log now; try one-argument "$dir"
    new logs; put a.log now; try three-arguments "$dir" 3 4
    new logs; put a.log now; try file "$dir/a.log" 3
    new -d; put a.log now; at=$PWD; script=$at/rotate.sh; cd "$dir/.." && cp "$script" . && try dash -d 2; cd "$at"
    new logs; put a.log now; try slash "$dir/" 3
    ;;
esac
