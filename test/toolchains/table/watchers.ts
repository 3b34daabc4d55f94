import type { Row } from './row.ts'

export const watchers: readonly Row[] = [
  {
    name: 'inotifywait',
    needs: ['inotifywait'],
    files: { a: 'old\n' },
    script: `inotifywait -q -t 20 -e close_write -o found a & watcher=$!
for each in 1 2 3 4 5 6 7 8 9; do sleep 0.3; echo new > a; kill -0 "$watcher" 2> /dev/null || break; done; wait "$watcher"; cat found`,
  },
  {
    name: 'entr',
    needs: ['entr'],
    files: { a: 'old\n' },
    script: `echo a | entr -n -z -p echo changed > found & watcher=$!
for each in 1 2 3 4 5 6 7 8 9; do sleep 0.3; echo new >> a; kill -0 "$watcher" 2> /dev/null || break; done; wait "$watcher"; head -n 1 found`,
    byName: /^(a|found)$/,
  },
  {
    name: 'node --watch',
    needs: ['node'],
    files: { 'a.js': "console.log('first')\n" },
    script: `node --watch a.js > found 2> /dev/null & watcher=$!
for each in 1 2 3 4 5 6 7 8 9; do sleep 0.3; grep -q first found && break; done
for each in 1 2 3 4 5 6 7 8 9; do echo "console.log('second')" > a.js; sleep 0.5; grep -q second found && break; done; kill "$watcher"; grep -m 1 second found`,
    byName: /^found$/,
  },
]
