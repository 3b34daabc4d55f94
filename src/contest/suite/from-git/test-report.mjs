// Reads the report of a test runner in a cell. The submission may have written it, so this program only reads it.
//   list FORMAT RESULT OUT        writes the outcome of each test to OUT, as JSON
//   verify FORMAT RESULT REQUIRED exits with 0 if each test that REQUIRED lists has passed, else with 1
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const root = '/submission/'
const entities = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const decoded = (text) =>
  text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-z]+));/g, (all, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? all
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
const plain = (file) => (file.startsWith(root) ? file.slice(root.length) : file)

/** Returns the outcomes in a JUnit report: `[id, outcome]`, with the id from the file, the suites, the class and the name. */
function* junit(text) {
  const suites = []
  let test = null
  const end = () => [test.id, test.outcome]
  const parts = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g
  for (const [, closes, name, written = '', isEmpty] of text.matchAll(parts)) {
    if (name === undefined) continue
    const given = Object.fromEntries(
      [...written.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, key, double, single]) => [
        key,
        decoded(double ?? single ?? ''),
      ]),
    )
    if (name === 'testsuite') {
      if (closes) suites.pop()
      else if (!isEmpty) suites.push(given.name ?? '')
    } else if (name === 'testcase') {
      if (closes) {
        if (test !== null) yield end()
        test = null
        continue
      }
      // Node repeats the suite as the class.
      const names = [plain(given.file ?? ''), ...suites, suites.at(-1) === given.classname ? '' : given.classname, given.name]
      test = {
        id: names.filter((each) => each !== undefined && each !== '').join(' > '),
        outcome: 'failure' in given ? 'failed' : 'passed',
      }
      if (isEmpty) {
        yield end()
        test = null
      }
    } else if (test !== null && !closes) {
      if (name === 'failure' || name === 'error') test.outcome = 'failed'
      else if (name === 'skipped' && test.outcome !== 'failed') test.outcome = 'skipped'
    }
  }
}

/** The JSON of jest and vitest. */
function* jest(text) {
  for (const { name, assertionResults } of JSON.parse(text).testResults)
    for (const { ancestorTitles, title, status } of assertionResults)
      yield [[plain(name), ...ancestorTitles, title].join(' > '), status === 'passed' || status === 'failed' ? status : 'skipped']
}

/** The lines of `go test -json` (cmd/test2json). */
function* go(text) {
  const outcomes = { pass: 'passed', fail: 'failed', skip: 'skipped' }
  for (const line of text.split('\n')) {
    if (!line.startsWith('{')) continue
    const { Action, Package, Test } = JSON.parse(line)
    if (Test !== undefined && Object.hasOwn(outcomes, Action)) yield [`${Package} > ${Test}`, outcomes[Action]]
  }
}

/** The text of `cargo test`. */
function* cargo(text) {
  const outcomes = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' }
  let target = ''
  for (const line of text.split('\n')) {
    const started = /^\s+(?:Running (?:unittests )?(\S+)|Doc-tests (\S+))/.exec(line)
    if (started !== null) target = started[1] ?? started[2]
    const [, name, outcome] = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/.exec(line) ?? []
    if (name !== undefined) yield [`${target} > ${name}`, outcomes[outcome]]
  }
}

/** Outcomes by test, as this program writes them. */
function* outcomes(text) {
  yield* Object.entries(JSON.parse(text))
}

const formats = { junit, jest, go, cargo, outcomes }
const [, , command, format, result, other] = process.argv
const found = new Map()
let problem = null
try {
  for (const file of readdirSync(result).toSorted())
    for (const [id, outcome] of formats[format](readFileSync(`${result}/${file}`, 'utf8'))) {
      const before = found.get(id)
      // Of several tests with one name, the worst counts.
      if (before === undefined || before === 'passed' || outcome === 'failed') found.set(id, outcome)
    }
} catch (error) {
  problem = error.message
}
if (command === 'list') writeFileSync(other, JSON.stringify({ problem, outcomes: Object.fromEntries(found) }))
else {
  const missing = JSON.parse(readFileSync(other, 'utf8')).filter((id) => found.get(id) !== 'passed')
  const lines = [
    ...(problem === null ? [] : [`the report cannot be read: ${problem}`]),
    ...missing.slice(0, 20).map((id) => `${found.get(id) ?? 'not run'}: ${id}`),
    ...(missing.length > 20 ? [`and ${missing.length - 20} more`] : []),
  ]
  process.stdout.write(lines.map((each) => `${each}\n`).join(''))
  process.exitCode = lines.length === 0 ? 0 : 1
}
