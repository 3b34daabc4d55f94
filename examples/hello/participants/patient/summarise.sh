#!/bin/sh
t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
q=0; k=1; f=; city=; cr=$(printf '\r'); tab=$(printf '\t'); n=-1; total=0; : > "$t/rows"
c2(){ v=$1; s=; case $v in -*) s=-; v=${v#-};; esac; w=${v%%.*}; d=; case $v in *.*) d=${v#*.};; esac; d="${d}00"; r=${d#??}; d=${d%"$r"}; x=$w$d; while :; do case $x in 0?*) x=${x#0};; *) break;; esac; done; x=$s$x; }
m(){ v=$1; s=; case $v in -*) s=-; v=${v#-};; esac; printf '%s%d.%02d' "$s" $((v/100)) $((v%100)); }
while IFS= read -r line || [ -n "$line" ]; do
if [ $q = 0 ]; then case $line in ''|"$cr") continue;; esac; k=1; f=; fi
while [ -n "$line" ]; do
rest=${line#?}; c=${line%"$rest"}; line=$rest
if [ $q = 1 ]; then
if [ "$c" = '"' ]; then case $line in '"'*) f="$f\""; line=${line#?};; *) q=0;; esac; else f=$f$c; fi
elif [ "$c" = '"' ]; then q=1
elif [ "$c" = , ]; then [ $k = 2 ] && city=$f; k=$((k+1)); f=
elif [ "$c" != "$cr" ]; then f=$f$c; fi
done
if [ $q = 1 ]; then f="$f "; continue; fi
n=$((n+1)); if [ $n = 0 ]; then continue; fi
c2 "$f"; total=$((total+x)); printf '%s\t%s\n' "$city" "$x" >> "$t/rows"
done
printf '{"orders": %d, "total": "%s", "cities": {' $n "$(m $total)"
cut -f1 "$t/rows" | LC_ALL=C sort -u > "$t/names"
sep=
while IFS= read -r name; do
sum=0
while IFS=$tab read -r city x; do [ "$city" = "$name" ] && sum=$((sum+x)); done < "$t/rows"
printf '%s"%s": "%s"' "$sep" "$(printf '%s' "$name" | sed 's/[\\"]/\\&/g')" "$(m $sum)"
sep=', '
done < "$t/names"
echo '}}'
