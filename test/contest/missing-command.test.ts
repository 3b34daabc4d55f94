import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { lintContest } from '../../src/contest/lint/lint.ts'
import { contestPlan } from '../../src/contest/stages/plan-contest.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { type Bench, openBench, writeContest } from '../support/contest-bench.ts'

test('6: a check whose command is missing for everybody could not be run, and one that a submission breaks has failed', async () => {
  await using bench = await openBench()
  const checks = [
    { name: 'line', command: 'nosuchcmd --all' },
    { name: 'list', command: ['sh', '-c', 'nosuchcmd'] },
    { name: 'works', command: './works' },
  ]
  await writeContest(
    bench,
    { good: 'printf "#!/bin/sh\\nexit 0\\n" > works; chmod +x works', bad: 'echo 1 > other' },
    {},
    { judges: [], checks },
  )
  const { summary } = await runContest(bench.contest, bench.deps)
  const missing = { result: 'could-not-run', exitCode: 127, why: 'exit code 127: a command was not found' }
  const resultsOf = (name: string) => summary.ranking.find((each) => each.name === name)?.checks.results
  expect(resultsOf('good')).toMatchObject([missing, missing, { result: 'passed' }])
  expect(resultsOf('bad')).toMatchObject([missing, missing, { ...missing, result: 'failed' }])
  expect(summary.ranking.map(({ name, score }) => [name, score])).toEqual([
    ['good', 100],
    ['bad', 0],
  ])
  expect(summary.notes).toContain('Check line could not be run and does not count: exit code 127: a command was not found.')
  expect(bench.events).toContainEqual(expect.objectContaining({ type: 'checked', check: 'line', why: missing.why }))
})

describe('before anything starts', () => {
  const yaml = `schemaVersion: 1
name: trial
participants:
  - name: naive
    agent: command
    command: [naiive, x]
  - name: other
    agent: command
    command: [sh, /agent/nave.sh]
    files: p
judges:
  - name: even
    agent: command
    command:
      - node
      - /agent/jug.mjs
    files: p
rubric:
  dimensions: [{ id: d, description: D. }]
checks:
  - name: c
    run: [nosuchrun, /inputs/gone]
    verify: [/usr/bin/nosuchverify, /check/gone]
    files: p
    inputs: p
`
  const message = `contest.yaml has 7 problems:
  line 6, column 15: participants[0].command[0] names a program that the cell does not have: naiive
  line 9, column 19: participants[1].command[1] names a file that files does not have: /agent/nave.sh
  line 16, column 9: judges[0].command[1] names a file that files does not have: /agent/jug.mjs
  line 22, column 11: checks[0].run[0] names a program that the cell does not have: nosuchrun
  line 22, column 22: checks[0].run[1] names a file that inputs does not have: /inputs/gone
  line 23, column 14: checks[0].verify[0] names a program that the cell does not have: /usr/bin/nosuchverify
  line 23, column 37: checks[0].verify[1] names a file that files does not have: /check/gone`

  test.each([
    ['contest lint', lintContest],
    ['contest run', runContest],
    ['contest run --dry-run', (directory, deps) => contestPlan(directory, deps, {})],
  ] satisfies [string, (directory: string, deps: Bench['deps']) => Promise<unknown>][])(
    '%s names what commands name and cells lack',
    async (_, act) => {
      await using bench = await openBench({ startCell: () => Promise.reject(new Error('a cell was started')) })
      await bench.write('contest.yaml', yaml)
      await bench.write('BRIEF.md', 'Do it.')
      await bench.write('p/naive.sh', '')
      await expect(act(bench.contest, bench.deps)).rejects.toMatchObject({ code: 'BAD_INPUT', message })
    },
  )

  test('all missing directories are named, with a command that makes them', async () => {
    await using bench = await openBench()
    await bench.write('contest.yaml', yaml.replace('files: p', 'files: q'))
    await bench.write('BRIEF.md', 'Do it.')
    const p = path.join(bench.contest, 'p')
    await expect(lintContest(bench.contest, bench.deps)).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: `contest.yaml has 4 problems:
  line 10, column 5: participants[1].files names no directory beside contest.yaml: q
  line 17, column 5: judges[0].files names no directory beside contest.yaml: p
  line 24, column 5: checks[0].files names no directory beside contest.yaml: p
  line 25, column 5: checks[0].inputs names no directory beside contest.yaml: p`,
      hint: `Run: mkdir -p ${path.join(bench.contest, 'q')} ${p}`,
    })
  })

  test('a program or file that a cell can have is not missing', async () => {
    await using bench = await openBench()
    await bench.write('p/run', '#!/bin/sh\n', 0o755)
    await symlink('/usr/bin/env', path.join(bench.contest, 'p/link'))
    const commands = [
      ['node', '--version'],
      ['/agent/run', '/agent', '/agent/'],
      ['sh', '/agent/link', '/agent/link/x', '--log=/agent/none', '/elsewhere/none'],
      ['./made-by-an-earlier-round'],
      ['/contest/out/made'],
      ['ldconfig', '-p'],
    ]
    const role = (command: readonly string[], index: number) => ({ name: `p${index}`, agent: 'command', command, files: 'p' })
    const own = { name: 'own', agent: 'command', command: ['mine'], env: ['PATH=/contest/raw/bin:/usr/bin'] }
    const checks = [{ name: 'c', run: ['/submission/x'], verify: 'nosuchcmd /check/none', files: 'p' }]
    await writeContest(bench, {}, {}, { participants: [...commands.map(role), own], checks })
    expect((await lintContest(bench.contest, bench.deps)).findings.filter(({ level }) => level === 'fault')).toEqual([])
    expect((await contestPlan(bench.contest, bench.deps, {})).participants).toHaveLength(7)
  })
})
