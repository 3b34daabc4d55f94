import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { importSuite } from '../../../src/contest/suite/harbor/import-suite.ts'
import { lintSuite } from '../../../src/contest/suite/lint-suite.ts'
import { openSuiteBench, type SuiteBench, shellRole } from '../../support/suite-bench.ts'

interface Task {
  readonly toml?: string
  readonly docker?: string
  readonly test?: string
  readonly solve?: string
  readonly files?: Readonly<Record<string, string>>
}

/** Returns a test script that decides like those of tasks: by a number in a file, while its exit code has no meaning. */
const numberIs = (condition: string): string =>
  `#!/bin/bash\nif ${condition}; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi\nexit 3\n`

async function writeTask(bench: SuiteBench, name: string, task: Task = {}): Promise<void> {
  const files = {
    'task.toml': task.toml ?? 'version = "1.0"\n[agent]\ntimeout_sec = 60\n[verifier]\ntimeout_sec = 30.5\n',
    'instruction.md': 'Write /app/answer.txt.\n',
    'environment/Dockerfile': task.docker ?? 'FROM debian:12\nWORKDIR /app\n',
    'tests/test.sh': task.test ?? numberIs('grep -qx 7 answer.txt'),
    'solution/solve.sh': task.solve ?? 'echo 7 > answer.txt\n',
    ...task.files,
  }
  for (const [file, text] of Object.entries(files)) await bench.write(path.join('../tasks', name, file), text)
}

async function imported(bench: SuiteBench) {
  const { tasks } = await importSuite(path.join(bench.root, 'tasks'), bench.contest, { ...bench.deps, done: () => {} })
  return Object.fromEntries(tasks.map((each) => [each.task, each]))
}

test('an empty submission fails each imported task, and its solution passes', async () => {
  await using bench = await openSuiteBench()
  await writeTask(bench, 'plain')
  await writeTask(bench, 'Built_Files', {
    docker:
      'FROM ubuntu:24.04\nENV WORD=seven\nWORKDIR /app\nCOPY data/ /data/\nCOPY one.txt two.txt ./\nCOPY one.txt /app/renamed\nRUN mkdir -p bin && echo "$WORD" > bin/word && chmod +x bin/word && ln -s word bin/link\n',
    test: numberIs(
      '[ -x bin/word ] && grep -qx seven bin/word && grep -qx 1 renamed && grep -qx 2 two.txt && [ "$(cat answer.txt)" = "$(cat /data/deep/n)" ]',
    ),
    solve: 'cp /data/deep/n answer.txt\n',
    files: { 'environment/data/deep/n': '42\n', 'environment/one.txt': '1\n', 'environment/two.txt': '2\n' },
  })
  await writeTask(bench, 'json', { test: 'grep -qx 7 answer.txt && echo \'{"reward": 1.0}\' > /logs/verifier/reward.json\n' })
  await writeTask(bench, 'variables', {
    toml: 'schema_version = "1.3"\nartifacts = ["/made/result"]\n[environment]\ncpus = 1\nmemory_mb = 512\nstorage_mb = 500\nworkdir = "/work"\n[environment.env]\nA = "a"\n[verifier.env]\nB = "it\'s b"\n[solution.env]\nC = "c"\n',
    test: numberIs('[ "$A$B" = "ait\'s b" ] && [ "$(pwd)" = /work ] && grep -qx ac /made/result'),
    solve: 'echo "$A$C" > /made/result\n',
  })
  const tasks = await imported(bench)
  expect(Object.values(tasks).flatMap(({ reasons }) => reasons)).toEqual([])
  expect(Object.values(tasks).map(({ brief }) => brief)).toEqual(['built-files', 'json', 'plain', 'variables'])
  const { briefs } = await lintSuite(bench.contest, bench.deps, { try: true, only: [] })
  expect(briefs.flatMap(({ brief, tried }) => (tried ?? []).map((each) => [brief, each.empty.result, each.oracle?.result]))).toEqual([
    ['built-files', 'failed', 'passed'],
    ['json', 'failed', 'passed'],
    ['plain', 'failed', 'passed'],
    ['variables', 'failed', 'passed'],
  ])
  expect(await readFile(path.join(bench.contest, 'briefs/plain/brief.yaml'), 'utf8')).toContain('check: 30500ms')
  // The imported briefs are also run.
  await bench.write(
    'suite.yaml',
    JSON.stringify({
      schemaVersion: 1,
      name: 'harbor',
      briefs: ['briefs/*'],
      contest: {
        participants: [shellRole('seven', 'echo 7 > answer.txt'), shellRole('idle', 'true')],
        ranking: 'checks',
      },
    }),
  )
  const { summary } = await bench.run()
  expect(summary.ranking.map(({ name, passes }) => [name, passes?.hits])).toEqual([
    ['seven', 2],
    ['idle', 0],
  ])
})

test('tasks that cannot run here are left out with the reasons, and the rest is imported', async () => {
  await using bench = await openSuiteBench()
  await writeTask(bench, 'good')
  const toml = (text: string): Task => ({ toml: `version = "1.0"\n${text}\n` })
  await writeTask(bench, 'gpu', toml('[environment]\ngpus = 1'))
  await writeTask(bench, 'image', toml('[environment]\ndocker_image = "example/x"'))
  await writeTask(bench, 'steps', toml('[[steps]]\nname = "one"'))
  await writeTask(bench, 'servers', toml('[[environment.mcp_servers]]\nname = "x"'))
  await writeTask(bench, 'yours', toml(`[verifier.env]\nKEY = "$\{OPENAI_API_KEY}"`))
  await writeTask(bench, 'broken', toml('[agent\n'))
  await writeTask(bench, 'newer', { toml: 'schema_version = "2.0"\n' })
  await writeTask(bench, 'compose', { files: { 'environment/docker-compose.yaml': 'services: {}\n' } })
  await writeTask(bench, 'packages', {
    docker: 'FROM debian\nWORKDIR /app\nRUN apt-get install -y no-such-thing && pip install no-such-module\n',
  })
  await writeTask(bench, 'system', { docker: 'FROM debian\nWORKDIR /etc/app\n' })
  await writeTask(bench, 'fetches', {
    test: `uvx no-such-tool /tests; npm ci; curl -o x https://example.com; ${'curl http://localhost:80; '}echo 1 > /logs/verifier/reward.txt\n`,
  })
  await writeTask(bench, 'fails', { docker: 'FROM debian\nWORKDIR /app\nRUN cp missing there\n' })
  await writeTask(bench, 'other/good')
  await writeTask(bench, 'untested', { files: { 'instruction.md': 'Write /srv/x/answer.txt.\n' } })
  await rm(path.join(bench.root, 'tasks/untested/tests'), { recursive: true })
  const secret = path.join(bench.root, 'secret')
  await mkdir(secret)
  await writeFile(path.join(secret, 'Dockerfile'), 'FROM debian\nWORKDIR /app\nCOPY key ./\n')
  await writeFile(path.join(secret, 'key'), 'of the host')
  await writeTask(bench, 'linked')
  await rm(path.join(bench.root, 'tasks/linked/environment'), { recursive: true })
  await symlink(secret, path.join(bench.root, 'tasks/linked/environment'))
  const tasks = await imported(bench)
  expect(Object.fromEntries(Object.values(tasks).map(({ task, reasons }) => [task, reasons.join('; ')]))).toEqual({
    good: '',
    gpu: 'it needs 1 GPUs',
    image: 'it needs the image example/x',
    steps: 'it has 1 steps',
    servers: 'it needs MCP servers',
    yours: 'its variable KEY uses a value from your environment: $' + '{OPENAI_API_KEY}',
    broken: expect.stringMatching(/^task.toml: line 2, column \d+: /),
    newer: 'its schema is 2.0, and 1.0 to 1.4 are known',
    compose: 'it needs several containers (compose)',
    packages: 'cells here do not have the Debian package no-such-thing; cells here do not have the Python package no-such-module',
    system: 'it works in /etc/app, which is in /etc, a directory of the system',
    fetches:
      'tests/test.sh, line 1: npm ci needs a network, which checks do not have; tests/test.sh, line 1: curl needs a network, which checks do not have; cells here do not have the Python package no-such-tool',
    fails: expect.stringMatching(/^the files of the task: exit code 1: cp: .*missing/),
    'other/good': 'it would be called good, as good is',
    untested: 'tests/test.sh is missing',
    linked: 'environment is a symbolic link',
  })
})

test('unknown keys are named; egress of a task is not opened', async () => {
  await using bench = await openSuiteBench()
  await writeTask(bench, 'task', {
    toml: 'version = "1.0"\nmood = 1\n[environment]\nallow_internet = true\ncolor = "red"\n[agent]\nuser = "x"\n',
  })
  expect((await imported(bench))['task']?.notes).toEqual([
    'task.toml: mood is not a key that is known, and has no effect',
    'task.toml: environment.color is not a key that is known, and has no effect',
    'it may use the internet: participants have what suite.yaml gives them, and checks have no network',
  ])
  // Existing files are not changed.
  const brief = path.join(bench.contest, 'briefs/task/BRIEF.md')
  await writeFile(brief, 'changed')
  expect((await imported(bench))['task']?.notes).toEqual(['its brief already exists'])
  expect(await readFile(brief, 'utf8')).toBe('changed')
})

test('a reward that is not a number from 0 to 1, or no file of its own, passes nothing', async () => {
  await using bench = await openSuiteBench()
  const left = {
    'two-numbers': 'echo \'{"reward": 1, "other": 1}\' > reward.json',
    nan: 'echo NaN > reward.txt',
    link: 'echo 1 > /app/one; ln -s /app/one reward.txt',
    nothing: 'true',
    large: 'echo 1.5 > reward.txt',
  }
  for (const [name, line] of Object.entries(left)) await writeTask(bench, name, { test: `cd /logs/verifier; ${line}\n` })
  await imported(bench)
  const { briefs } = await lintSuite(bench.contest, bench.deps, { try: true, only: [] })
  expect(briefs.map(({ brief, tried }) => [brief, tried?.[0]?.oracle?.result])).toEqual(
    Object.keys(left)
      .toSorted()
      .map((each) => [each, 'failed']),
  )
  const messages = briefs.find(({ brief }) => brief === 'nothing')?.findings.map(({ message }) => message)
  expect(messages).toContain('tests fails the oracle: exit code 1 (tests/test.sh wrote no reward)')
})
