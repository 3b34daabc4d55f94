// node run.mjs CASE: runs ./semsort on the inputs of a case, and writes to /result what it printed and how it ended.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cases } from './cases.mjs'

for (const [index, input] of cases[process.argv[2]].entries()) {
  const { error, stdout, stderr, status, signal } = spawnSync('./semsort', { input, timeout: 10_000, maxBuffer: 64 * 1024 * 1024 })
  if (error !== undefined) throw new Error(`it cannot be run, or took too long: ${error.code}`)
  writeFileSync(`/result/${index}.out`, stdout)
  writeFileSync(`/result/${index}.err`, stderr)
  writeFileSync(`/result/${index}.end`, String(status ?? signal))
}
