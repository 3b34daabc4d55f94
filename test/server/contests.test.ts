import { mkdirSync, readFileSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { reportContest } from '../../src/contest/report/report-contest.ts'
import { ContestRuns } from '../../src/fleet/contests/contest-runs.ts'
import { newId } from '../../src/fleet/ids.ts'
import type { OwnCommand } from '../../src/server/own-command.ts'
import { contestRoutes } from '../../src/server/routes/contest-routes.ts'
import { temporary } from '../support/temporary.ts'
import { bearer, testServer } from '../support/test-server.ts'

const run = { state: 'pending', attempt: 0, outcome: null, durationMs: null, usage: null, costUsd: null }

/** Files and directories that a report depends on. */
const inputs = ['status.json', 'contest.yaml', 'BRIEF.md', '.', 'rounds/1', 'judging/you/1/tasks']

/** Returns the routes over one contest that has ended, with its report on disk, and the commands that they started. */
async function stage() {
  const stack = new AsyncDisposableStack()
  const root = stack.use(await temporary())
  const directory = root.at('contest')
  mkdirSync(path.join(directory, 'rounds/1'), { recursive: true })
  mkdirSync(path.join(directory, 'judging/you/1/tasks'), { recursive: true })
  const put = (file: string, text: string): void => writeFileSync(path.join(directory, file), text)
  put(
    'contest.yaml',
    'schemaVersion: 1\nname: small\nparticipants:\n  - { name: one, agent: command, command: [x] }\njudges:\n  - { name: strict, agent: command, command: [y] }\nrubric: { scale: { min: 1, max: 5 }, dimensions: [{ id: good, weight: 1, description: Good }] }\n',
  )
  put('BRIEF.md', 'Write it.\n')
  const status = { schemaVersion: 2, contest: 'small', round: 1, fingerprint: 'x', judging: 0, tasks: [], updatedAt: '' }
  put('status.json', JSON.stringify({ ...status, participants: { one: run } }))
  const now = Date.now() / 1000
  const age = (file: string, seconds: number): void => utimesSync(path.join(directory, file), now - seconds, now - seconds)
  await reportContest(directory, () => new Date())
  // The root is changed by the first report that is made in it.
  for (const each of [...inputs, 'rounds', 'judging', 'judging/you', 'judging/you/1']) age(each, 60)
  const id = newId('contest')
  mkdirSync(root.at('kept', id), { recursive: true })
  const kept = { id, directory, requestedBy: 'me', startedAt: '2027-01-31T12:00:00.000Z', process: { pid: 1, started: 'ended' } }
  writeFileSync(root.at('kept', id, 'contest.json'), JSON.stringify(kept))
  writeFileSync(root.at('kept', id, 'stdout.log'), '{}')
  const started: string[] = []
  const command = (async (name: string) => {
    started.push(name)
    if (name !== 'contest report') return null
    return (await reportContest(directory, () => new Date())).summary
  }) as unknown as OwnCommand
  const contests = new ContestRuns(root.at('kept'), [], {}, root.at('state'))
  const directories = { allowed: [directory], agents: [], userHome: '/', key: 'fleet.contests' } as const
  const server = stack.use(await testServer({ routes: (app) => contestRoutes(app, { contests, directories, command }) }))
  const ask = (below: string) => server.ask(`/api/v1/contests/${id}${below}`, { headers: bearer(server.secrets.viewer) })
  return {
    directory,
    started,
    age,
    put,
    /** Asks for all that the page of a contest shows, at once. */
    async page() {
      started.length = 0
      const [contest, report, html] = await Promise.all([ask(''), ask('/report'), ask('/report.html')])
      return { contest: contest.json, report: report.json, html: html.text, statuses: [contest, report, html].map((each) => each.status) }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('a contest that has ended is shown from its files, by no process', async () => {
  await using at = await stage()
  const { contest, report, html, statuses } = await at.page()
  expect(statuses).toEqual([200, 200, 200])
  expect(contest.status).toMatchObject({
    contest: 'small',
    participants: { one: run },
    judges: { strict: { state: 'pending' } },
    atWork: false,
  })
  expect(report).toEqual(JSON.parse(readFileSync(path.join(at.directory, 'report/summary.json'), 'utf8')))
  expect(html === readFileSync(path.join(at.directory, 'report/report.html'), 'utf8')).toBe(true)
  expect(at.started).toEqual([])
})

test('one process makes the report if anything that it depends on may be newer', async () => {
  await using at = await stage()
  for (const file of inputs) {
    at.age('report/summary.json', 30)
    at.age('report/report.html', 30)
    expect((await at.page()).statuses).toEqual([200, 200, 200])
    expect(at.started).toEqual([])
    at.age(file, 10)
    expect((await at.page()).contest.status.contest).toBe('small')
    expect(at.started).toEqual(['contest report'])
    at.age(file, 60)
  }
})

test('a report of another version is made again', async () => {
  await using at = await stage()
  const file = 'report/summary.json'
  const { verdict: _, ...older } = JSON.parse(readFileSync(path.join(at.directory, file), 'utf8')) as Record<string, unknown>
  at.put(file, JSON.stringify(older))
  expect((await at.page()).report).toHaveProperty('verdict')
  expect(at.started).toEqual(['contest report'])
  at.put('report/report.html', '<script>canary</script>')
  expect((await at.page()).html.includes('<script>canary')).toBe(false)
  expect(at.started).toEqual(['contest report'])
})

test('a file that is a link is left to the command, which refuses it', async () => {
  await using at = await stage()
  unlinkSync(path.join(at.directory, 'report/summary.json'))
  symlinkSync('/etc/hostname', path.join(at.directory, 'report/summary.json'))
  const { contest, statuses } = await at.page()
  expect(statuses).toEqual([200, 400, 400])
  expect(contest.status).toBe(null)
  expect(at.started).toEqual(['contest report', 'contest status'])
})
