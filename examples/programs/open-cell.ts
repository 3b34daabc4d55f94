// Runs commands in one cell, where they share files and processes:  node open-cell.ts [DIRECTORY]
import { openCell } from 'paddock'

await using cell = await openCell({ cwd: process.argv[2] ?? '.', egress: 'off', timeout: 10 * 60_000 })
const files = await cell.run(['ls'])
console.log(files.stdout)

// Two at once. What a program leaves in /tmp is there for the next one.
await Promise.all([
  cell.run(['sh', '-c', 'date > /tmp/started'], { onOutput: (stream, bytes) => process[stream].write(bytes) }),
  cell.run(['sh', '-c', 'read -r line; echo "heard $line"'], { input: 'hello\n' }),
])
const { stdout, exitCode } = await cell.run(['cat', '/tmp/started'])
console.log(exitCode, stdout.trim())

const { durationMs, changes } = await cell.close()
console.log(`The cell ran for ${durationMs} ms and created ${changes?.created.length ?? 0} files.`)
