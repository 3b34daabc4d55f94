#!/bin/sh
# A participant that reads the brief, writes a program and its notes, tries it, and hands it in.
set -eu
words=$(wc -w)
echo "Read a task of $words words."
cp /agent/summarise.mjs summarise
cp /agent/NOTES.md README.md
chmod 755 summarise
echo "Trying it on a small case of my own."
printf 'order,city,item,amount\r\n1,Oslo,"a ""b"", c",0.10\r\n2,Oslo,x,0.20\r\n' | ./summarise | grep -q '"total": "0.30"'
./summarise < /contest/raw/orders.csv > summary.json
echo "Done: $(tr -d '\n' < summary.json)"
