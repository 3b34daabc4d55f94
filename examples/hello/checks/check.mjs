// Runs ./summarise of a submission on one hidden case and compares what it prints with what is right.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cases } from './cases.mjs'

const name = process.argv[2]
const { input, expected } = cases[name]()
const run = spawnSync('./summarise', { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
if (run.error) throw run.error
if (run.status !== 0) {
  console.log(`summarise ended with ${run.status ?? run.signal}: ${run.stderr.slice(0, 500)}`)
  process.exit(1)
}
try {
  const answer = JSON.parse(run.stdout)
  assert.deepEqual(answer, expected)
  assert.deepEqual(Object.keys(answer.cities), Object.keys(answer.cities).toSorted(), 'the cities are not sorted')
  console.log(`${name}: right`)
} catch (error) {
  console.log(`${name}: wrong\n${error.message}`)
  process.exit(1)
}
