import { rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { composeContest } from '../../../src/contest/suite/config/compose.ts'
import { readSuite } from '../../../src/contest/suite/config/read-suite.ts'
import { openSuiteBench, writeSuite } from '../../support/suite-bench.ts'

const role = { name: 'a', agent: 'command', command: ['true'] }

test('paths of suite.yaml and of brief.yaml start where they are written, and raw/ is the brief’s', () => {
  const { contest, copies } = composeContest(
    {
      schemaVersion: 1,
      name: 'all',
      briefs: ['briefs/*'],
      contest: {
        participants: [{ ...role, files: 'solvers/a', limits: { memory: '1GiB', pids: 5 } }],
        checks: [{ name: 'suite', command: 'true', files: 'suite-checks' }],
        mask: ['raw/secret', './solvers/a/key'],
        timeouts: { participant: '1m' },
      },
    },
    'one',
    {
      schemaVersion: 1,
      checks: [{ name: 'own', run: 'x', verify: 'y', inputs: './inputs/', files: 'right' }],
      oracle: 'oracle',
      mask: ['inputs/n'],
      limits: { memory: '2GiB' },
    },
    1,
  )
  expect(contest).toEqual({
    schemaVersion: 1,
    name: 'one',
    participants: [{ ...role, files: 'suite/solvers/a', limits: { memory: '2GiB', pids: 5 } }],
    checks: [{ name: 'own', run: 'x', verify: 'y', inputs: 'brief/inputs', files: 'brief/right' }],
    oracle: 'brief/oracle',
    mask: ['raw/secret', 'suite/solvers/a/key', 'brief/inputs/n'],
    timeouts: { participant: '1m' },
  })
  expect(copies.map(({ from, path: at }) => `${from}/${at}`).toSorted()).toEqual([
    'brief/inputs',
    'brief/oracle',
    'brief/right',
    'suite/solvers/a',
  ])
})

test('a brief is named by what its glob matched; a broken one does not stop the others', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, { a: 'true' }, ['One', 'x/two'], { briefs: ['briefs/*', 'briefs/x/two', 'single/', 'gone'] })
  await bench.write('single/BRIEF.md', 'Do it.')
  await bench.write('briefs/empty/BRIEF.md', ' \n')
  await bench.write('briefs/unknown/BRIEF.md', 'Do it.')
  await bench.write('briefs/unknown/brief.yaml', 'schemaVersion: 1\ntimeout: 3s\n')
  await bench.write('briefs/missing/BRIEF.md', 'Do it.')
  await bench.write(
    'briefs/missing/brief.yaml',
    JSON.stringify({ schemaVersion: 1, checks: [{ name: 'c', command: 'true', files: 'right' }] }),
  )
  await bench.write('briefs/one/BRIEF.md', 'The same name.')
  await symlink('/etc', path.join(bench.contest, 'briefs/out'))
  const { briefs } = await readSuite(bench.contest)
  expect(Object.fromEntries(briefs.map(({ path: at, problem }) => [at, problem]))).toEqual({
    'briefs/One': null,
    'briefs/empty': 'briefs/empty/BRIEF.md is empty.',
    'briefs/missing': 'brief.yaml, checks[0].files: there is no directory right beside it.',
    'briefs/one': 'it would be called one, as briefs/One is',
    'briefs/out': 'briefs/out is a link that leads out of the suite',
    'briefs/unknown': 'brief.yaml, line 2, column 1: timeout is not a key of a brief; did you mean timeouts?',
    'briefs/x': 'briefs/x has no BRIEF.md.',
    'briefs/x/two': null,
    single: null,
    gone: 'there is no directory gone',
  })
  expect(briefs.filter(({ problem }) => problem === null).map(({ name }) => name)).toEqual(['one', 'two', 'single'])
})

test('a mistake in suite.yaml is reported with its place', async () => {
  await using bench = await openSuiteBench()
  await expect(readSuite(bench.contest)).rejects.toThrow('has no suite.yaml.')
  await bench.write(
    'suite.yaml',
    'schemaVersion: 1\nname: all\nbriefs: [../x]\nrepeats: 0\nbudget: { money: 0 }\ncontest: { participants: [], judge: [] }\n',
  )
  await expect(readSuite(bench.contest)).rejects.toThrow(
    [
      'suite.yaml has 5 problems:',
      '  line 3, column 10: briefs[0] must stay inside the suite',
      '  line 4, column 1: repeats must be at least 1',
      '  line 5, column 11: budget.money must be more than 0',
      '  line 6, column 12: contest.participants needs at least one participant',
      '  line 6, column 30: contest.judge is not a key of a suite; did you mean judges?',
    ].join('\n'),
  )
  await writeSuite(bench, { a: 'true' }, [], { briefs: ['no/*'] })
  await expect(readSuite(bench.contest)).rejects.toThrow('suite.yaml, briefs[0]: no directory is called no/*')
  await writeSuite(bench, { a: 'true' }, ['one'], {}, { rubric: undefined })
  await expect(readSuite(bench.contest)).rejects.toThrow(
    /No brief of .* can be run:\n {2}briefs\/one: judges are missing, and so are checks/,
  )
  await rm(path.join(bench.contest, 'suite.yaml'))
  await symlink('/etc/passwd', path.join(bench.contest, 'suite.yaml'))
  await expect(readSuite(bench.contest)).rejects.toThrow('leads out of')
})

test('from five contests on, one trial of each judge in each contest suffices', () => {
  const controlsOf = (contests: number, controls: boolean | number): unknown => {
    const { contest } = composeContest(
      { schemaVersion: 1, name: 'all', briefs: ['briefs/*'], contest: { participants: [role], judging: { controls } } },
      'one',
      null,
      contests,
    )
    return contest['judging']
  }
  expect(controlsOf(4, true)).toEqual({ controls: true })
  expect(controlsOf(5, true)).toEqual({ controls: 1 })
  expect(controlsOf(5, 3)).toEqual({ controls: 3 })
  expect(controlsOf(5, false)).toEqual({ controls: false })
})
