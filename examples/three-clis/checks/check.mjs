// node check.mjs CASE: runs ./semsort on the inputs of a case and compares with what must come out. Exit code 0: all is right.
import { spawnSync } from 'node:child_process'
import { expected } from './reference.mjs'

const lines = (...texts) => texts.map((each) => `${each}\n`).join('')

/** The same numbers in every run, so that every submission gets the same input. */
function* random(seed) {
  for (let state = seed; ; ) {
    state = (state * 48271) % 2147483647
    yield state
  }
}

function many(count) {
  const next = random(20240229)
  const pick = (below) => next.next().value % below
  const suffixes = ['', '', '', '-alpha', '-alpha.1', '-alpha.beta', '-beta.2', '-beta.11', '-rc.1', '-0.3.7', '+build.5']
  return lines(...Array.from({ length: count }, () => `${pick(2) ? 'v' : ''}${pick(30)}.${pick(50)}.${pick(50)}${suffixes[pick(suffixes.length)]}`))
}

const cases = {
  order: [
    lines('1.10.0', '1.9.0', '1.2.0', '0.0.1', '10.0.0', '9.99.99', '2.0.0'),
    lines('1.0.0', '1.0.0-rc.1', '1.0.0-beta.11', '1.0.0-beta.2', '1.0.0-beta', '1.0.0-alpha.beta', '1.0.0-alpha.1', '1.0.0-alpha'),
    lines('1.0.0-alpha', '1.0.0-9', '1.0.0-10', '1.0.0-Z', '1.0.0-a', '1.0.0--', '1.0.0-0a', '1.0.0-a.b.c', '1.0.0-a.b'),
  ],
  numbers: [
    lines('1.0.100000000000000000000000000001', '1.0.100000000000000000000000000000', '1.0.99999999999999999999999999999'),
    lines('1.0.0-rc.9007199254740993', '1.0.0-rc.9007199254740992', '1.0.0-rc.9007199254740991', '9007199254740993.0.0', '9007199254740992.0.0'),
  ],
  stable: [
    lines('1.0.0+b', 'v1.0.0', '1.0.0+a', '1.0.0', '0.9.0', 'v0.9.0+z', '1.0.0-rc.1+2', '1.0.0-rc.1+1'),
    'v2.0.0\r\n1.0.0\r\n\r\n1.0.0+x\r\nv1.0.0',
  ],
  invalid: [
    lines('1.2', '01.0.0', '1.0.0-01', '1.0.0-', '1.0.0+', '1.0.0-a..b', '', 'latest', '1.0.0', ' 1.0.0', '1.0.0-é', 'V1.0.0', 'vv1.0.0', '1.0.0+01'),
    lines('nothing', 'of', 'all', 'this'),
    '',
  ],
  large: [many(100_000)],
}

const inputs = cases[process.argv[2]]
if (inputs === undefined) throw new Error(`no case ${process.argv[2]}`)
for (const input of inputs) {
  const ran = spawnSync('./semsort', { input, encoding: 'utf8', timeout: 10_000, maxBuffer: 64 * 1024 * 1024 })
  if (ran.error) fail(`it cannot be run, or took too long: ${ran.error.code}`)
  const right = expected(input)
  if (ran.stdout !== right.stdout) fail(difference('standard output', ran.stdout, right.stdout))
  if (ran.stderr !== right.stderr) fail(difference('standard error', ran.stderr, right.stderr))
  if (ran.status !== right.code) fail(`exit code ${ran.status ?? ran.signal}, not ${right.code}`)
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
