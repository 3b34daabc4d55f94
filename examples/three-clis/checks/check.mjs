// node check.mjs CASE: compares what ./semsort wrote for the inputs of a case with the expected result. Exit code 0: all is right.
import { existsSync, readFileSync } from 'node:fs'
import { cases } from '/inputs/cases.mjs'
import { expected } from './reference.mjs'

const inputs = cases[process.argv[2]]
if (inputs === undefined) throw new Error(`no case ${process.argv[2]}`)
for (const [index, input] of inputs.entries()) {
  if (!existsSync(`/result/${index}.end`)) fail('it could not be run, or took too long')
  const [stdout, stderr, end] = ['out', 'err', 'end'].map((each) => readFileSync(`/result/${index}.${each}`, 'utf8'))
  const right = expected(input)
  if (stdout !== right.stdout) fail(difference('standard output', stdout, right.stdout))
  if (stderr !== right.stderr) fail(difference('standard error', stderr, right.stderr))
  if (end !== String(right.code)) fail(`it ended with ${end}, not ${right.code}`)
}

function difference(what, got, right) {
  const [gotLines, rightLines] = [got.split('\n'), right.split('\n')]
  const index = rightLines.findIndex((line, at) => line !== gotLines[at])
  const at = index < 0 ? rightLines.length : index
  return `${what}, line ${at + 1}: ${JSON.stringify((gotLines[at] ?? '').slice(0, 200))}, not ${JSON.stringify((rightLines[at] ?? '').slice(0, 200))}`
}

function fail(why) {
  console.log(why)
  process.exit(1)
}
