import { cpSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startFleet } from '../../support/fleet-server.ts'

const small = fileURLToPath(new URL('../../../examples/small-suite', import.meta.url))
const soon = { timeout: 120_000, interval: 50 }

/** Returns each seal of a suite with its bytes and the time when it was written. */
function sealsOf(suite: string): ReadonlyMap<string, string> {
  const files = globSync('runs/*/*/rounds/*/sealed/*/*', { cwd: suite })
  return new Map(
    files.map((each) => {
      const file = path.join(suite, each)
      return [each, `${statSync(file).ino} ${statSync(file).mtimeMs} ${readFileSync(file).toString('base64')}`]
    }),
  )
}

test('a suite is started over the API, outlives the server, is cancelled and continued, and loses no seal', async () => {
  await using fleet = await startFleet()
  const directory = path.join(fleet.stage.project, 'suite')
  cpSync(small, directory, { recursive: true })
  fleet.stage.own()
  const query = { params: { query: { directory } } }
  const start = async () => await fleet.api.POST('/api/v1/suites', { body: { directory, only: [], retry: false, parallel: 1 } })
  const work = async () => (await fleet.api.GET('/api/v1/suites/work', query)).data?.work
  const status = async () => (await fleet.api.GET('/api/v1/suites/status', query)).data
  const complete = async () => (await status())?.contests.filter(({ state }) => state === 'complete').length ?? 0
  const ended = async () => await expect.poll(async () => (await work())?.state, soon).not.toBe('running')

  expect((await fleet.api.GET('/api/v1/suites/plan', query)).data).toMatchObject({
    contests: { all: 6, open: 6 },
    open: { participants: 12, judges: 0 },
  })
  expect((await fleet.api.GET('/api/v1/suites/detection', query)).data).toMatchObject({ now: { briefs: 3, cells: 12 } })
  expect((await fleet.api.GET('/api/v1/suites/report', query)).error).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  expect((await start()).response.status).toBe(202)
  await expect.poll(complete, soon).toBeGreaterThan(0)
  const before = sealsOf(directory)
  expect(before.size).toBeGreaterThan(0)
  await fleet.replace()
  expect(await work()).toMatchObject({ command: 'run', state: 'running', requestedBy: 't1' })
  expect((await start()).error).toMatchObject({ status: 409, code: 'CONFLICT' })
  const now = await status()
  expect(now?.atWork).toBe(true)
  const busy = now?.contests.find(({ atWork }) => atWork)
  if (busy !== undefined) {
    const params = { query: { directory, run: busy.run } }
    expect((await fleet.api.GET('/api/v1/suites/contest', { params })).data).toMatchObject({ status: { round: 1 } })
  }
  expect((await fleet.api.POST('/api/v1/suites/cancel', { body: { directory } })).response.status).toBe(202)
  await ended()
  expect(await work()).toMatchObject({ state: 'cancelled', problem: 'The suite was stopped. Finished work is kept.' })
  const stopped = await status()
  expect([stopped?.atWork, stopped?.contests.some(({ state }) => state !== 'complete')]).toEqual([false, true])
  const half = sealsOf(directory)
  for (const [file, facts] of before) expect([file, half.get(file) === facts]).toEqual([file, true])

  expect((await start()).response.status).toBe(202)
  await fleet.replace()
  await ended()
  expect(await work()).toMatchObject({ state: 'done', notDone: [] })
  const all = sealsOf(directory)
  for (const [file, facts] of half) expect([file, all.get(file) === facts]).toEqual([file, true])
  expect(await complete()).toBe(6)
  const { data: report } = await fleet.api.GET('/api/v1/suites/report', query)
  expect(report?.ranking.map(({ name, passes }) => [name, passes?.hits])).toEqual([
    ['careful', 6],
    ['hasty', 2],
  ])
  const params = { query: { directory, run: 'sort/2' } }
  expect((await fleet.api.GET('/api/v1/suites/contest', { params })).data).toMatchObject({
    atWork: false,
    status: { participants: { careful: { state: 'checked' } } },
  })
  const page = await fleet.api.GET('/api/v1/suites/contest/report.html', { params, parseAs: 'text' })
  expect([page.response.status, page.data?.includes('careful')]).toEqual([200, true])
  expect(page.response.headers.get('content-security-policy')).toContain('sandbox allow-scripts')

  const only: string[] = []
  await fleet.api.POST('/api/v1/suites/rejudge', { body: { directory, only } })
  await ended()
  expect(await work()).toMatchObject({ command: 'rejudge', state: 'failed', problem: expect.stringContaining('The list is empty.') })
  await fleet.api.POST('/api/v1/suites/refine', { body: { directory, only: ['sort'], participants: ['hasty'] } })
  await ended()
  expect(await work()).toMatchObject({ command: 'refine', state: 'done', notDone: [] })
  const rounds = (await fleet.api.GET('/api/v1/suites/contest', { params })).data?.status?.round
  expect(rounds).toBe(2)
  await fleet.api.POST('/api/v1/suites/archive', { body: { directory, only, withLogs: false } })
  await ended()
  expect(await work()).toMatchObject({ command: 'archive', state: 'done', notDone: [] })
  expect(readdirSync(path.join(directory, 'report/archives'))).toHaveLength(6)
  const leftovers = (await fleet.api.GET('/api/v1/suites/leftovers', query)).data
  const cleaned = (await fleet.api.POST('/api/v1/suites/clean', { body: { directory, only } })).data
  const counts = (answer: typeof cleaned) => answer?.contests.map(({ result }) => result?.removed.length)
  expect(counts(leftovers)).toEqual(counts(cleaned))
  expect(counts((await fleet.api.GET('/api/v1/suites/leftovers', query)).data)).toEqual([0, 0, 0, 0, 0, 0])
  for (const [file, facts] of half) expect([file, sealsOf(directory).get(file) === facts]).toEqual([file, true])
})
