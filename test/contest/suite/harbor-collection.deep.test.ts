import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { importSuite } from '../../../src/contest/suite/harbor/import-suite.ts'
import { lintSuite } from '../../../src/contest/suite/lint-suite.ts'
import { runSuite } from '../../../src/contest/suite/run-suite.ts'
import { type MadeTask, madeCollection, writeTasks } from '../../support/harbor-collection.ts'
import { realCells } from '../../support/real-cell.ts'
import { openSuiteBench, type SuiteBench, shellRole } from '../../support/suite-bench.ts'

// The home directory of the cells must not be in /tmp, because some tasks work there.
process.env['TMPDIR'] = '/var/tmp'

/** A pytest that runs the functions of the files that it is given. */
const pytest = `
import importlib, os, runpy, sys
if __name__ == "__main__":
    plugins = [importlib.import_module(each) for each in os.environ.get("PYTEST_PLUGINS", "").split(",") if each]
    if "--ctrf" in sys.argv and not any(hasattr(each, "pytest_addoption") for each in plugins):
        sys.exit("unrecognized arguments: --ctrf")
    for file in sys.argv[1:]:
        if file.endswith(".py"):
            for name, value in runpy.run_path(file).items():
                if name.startswith("test_"):
                    value()
`

async function openWith(tasks: readonly MadeTask[]): Promise<SuiteBench> {
  const bench = await openSuiteBench()
  const version = execFileSync('/usr/bin/python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' }).trim()
  const packages = path.join(bench.deps.paths.userHome, `.local/lib/python${version}/site-packages`)
  for (const [file, text] of Object.entries({
    'pytest/__init__.py': '',
    'pytest/__main__.py': pytest,
    'pytest-8.4.1.dist-info/METADATA': 'Metadata-Version: 2.1\nName: pytest\nVersion: 8.4.1\n',
  })) {
    await mkdir(path.dirname(path.join(packages, file)), { recursive: true })
    await writeFile(path.join(packages, file), text)
  }
  await writeTasks(path.join(bench.root, 'tasks'), tasks)
  // Cells have the installations in the home that exist when a machine is inspected.
  return { ...bench, deps: { ...bench.deps, startCell: realCells(bench.deps.paths) } }
}

async function imported(bench: SuiteBench) {
  return (await importSuite(path.join(bench.root, 'tasks'), bench.contest, { ...bench.deps, done: () => {} })).tasks
}

const succeeds = (line: string, home: string): boolean => {
  try {
    execFileSync('/bin/sh', ['-c', line], { stdio: 'ignore', cwd: '/', env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home } })
    return true
  } catch {
    return false
  }
}

/** Each form of a reason, and whether it is true for a task. */
const truths: readonly (readonly [form: RegExp, isTrue: (task: MadeTask['files'], what: string, home: string) => boolean])[] = [
  [
    /^cells here do not have the Python package (\S+)$/,
    (_, name, home) => !succeeds(`python3 -c 'import importlib.metadata as m; m.version("${name}")'`, home),
  ],
  [
    /^cells here do not have the Debian package (\S+)$/,
    (_, name, home) => !succeeds(`dpkg -s ${name}`, home) && !succeeds(`command -v ${name}`, home),
  ],
  [/^it writes \/\S+, which is in (\/\w+), a directory of the system$/, (_, directory) => existsSync(directory)],
  [/^environment\/Dockerfile is missing$/, (task) => task['environment/Dockerfile'] === undefined],
  [
    /^Dockerfile, line \d+: it is built in several stages$/,
    (task) => [...(task['environment/Dockerfile'] ?? '').matchAll(/^FROM/gm)].length > 1,
  ],
  [
    /^tests\/test.sh, line 2: (npm install) needs a network, which checks do not have$/,
    (task, what) => task['tests/test.sh']?.includes(what) === true,
  ],
  [/^its tests write no reward: /, (task) => !JSON.stringify(task).includes('/logs/verifier')],
]
/** Does what the prompt on standard input asks for. */
const solving =
  "sed -n 's/.*numbers in \\([^ ]*\\), and write the sum to \\([^ ]*\\)\\.$/\\1 \\2/p' | while read numbers answer; do awk '{ sum += $1 } END { print sum }' $numbers > $answer; done"
const possible = 'plain home solution temporary temporary-file root root-file var opt named document uv'.split(' ')

test('at least half of a collection is imported, and each reason for leaving a task out is true', async () => {
  const tasks = madeCollection(1)
  await using bench = await openWith(tasks)
  const results = await imported(bench)
  expect(results).toHaveLength(60)
  expect(results.filter(({ brief }) => brief !== null).length).toBeGreaterThanOrEqual(30)
  const untrue = results.flatMap(({ task, reasons }) =>
    reasons.filter((reason) => {
      const truth = truths.find(([form]) => form.test(reason))
      const files = tasks.find((each) => each.name === task)?.files ?? {}
      return truth === undefined || !truth[1](files, truth[0].exec(reason)?.[1] ?? '', bench.deps.paths.userHome)
    }),
  )
  expect(untrue).toEqual([])
  // Everything that can run is imported.
  const isImported = (name: string): boolean => results.find(({ task }) => task === name)?.brief !== null
  expect(tasks.map(({ name }) => [name, isImported(name)])).toEqual(
    tasks.map(({ name, kinds }) => [name, kinds.every((each) => possible.includes(each))]),
  )
})

test('an empty submission fails a task of each kind that is imported, and its solution passes', async () => {
  const all = madeCollection(2)
  const tasks = possible.flatMap((kind) => all.find((each) => each.kinds.join(' ') === kind) ?? [])
  await using bench = await openWith(tasks)
  expect((await imported(bench)).flatMap(({ reasons }) => reasons)).toEqual([])
  const { briefs } = await lintSuite(bench.contest, bench.deps, { try: true, only: [] })
  expect(briefs.flatMap(({ brief, tried }) => (tried ?? []).map((each) => [brief, each.empty.result, each.oracle?.result]))).toEqual(
    tasks.map(({ name }) => [name, 'failed', 'passed']).toSorted(),
  )
  // Participants work in the same places.
  await bench.write(
    'suite.yaml',
    JSON.stringify({
      schemaVersion: 1,
      name: 'harbor',
      briefs: ['briefs/*'],
      contest: { participants: [shellRole('right', solving), shellRole('idle', 'true')], ranking: 'checks' },
    }),
  )
  const { summary } = await runSuite(bench.contest, { ...bench.suiteDeps, ...bench.deps, progress: () => {} })
  expect(summary.ranking.map(({ name, passes }) => [name, passes?.hits])).toEqual([
    ['right', tasks.length],
    ['idle', 0],
  ])
})
