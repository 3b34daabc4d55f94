import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fleetData } from '../../../src/fleet/data-directory.ts'
import type { JobResult } from '../../../src/fleet/jobs/job.ts'
import { defaultRetention, type Retention, sweepJobs } from '../../../src/fleet/retention/sweep-jobs.ts'
import { openTestStore, plainJob } from '../../support/fleet-store.ts'

/** Returns a fleet whose jobs have ended, with files of this many bytes each. */
async function ended(count: number, bytes: number) {
  const store = await openTestStore()
  const data = fleetData(path.join(store.root, 'data'))
  const agent = store.agents.create({ name: 'one', agent: 'command', command: ['true'] }, null)
  const jobs: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { job } = store.jobs.put({ ...plainJob, agent: agent.id, prompt: 'x'.repeat(200_000) })
    store.jobs.claim({ id: agent.id, labels: [], adapter: 'command' }, [])
    store.jobs.end(job.id, { state: 'interrupted', problem: 'gone' }, bytes)
    const files = data.agent(agent.id).job(job.id)
    mkdirSync(files.root, { recursive: true })
    writeFileSync(files.transcript, '{}')
    jobs.push(job.id)
  }
  const sweep = (wish: Partial<Retention>, more: { now?: () => number; copies?: readonly string[] } = {}) =>
    sweepJobs(
      { ...defaultRetention, ...wish },
      {
        store,
        data,
        hasCopy: (id) => more.copies?.includes(id) ?? false,
        now: more.now ?? Date.now,
        signal: new AbortController().signal,
      },
    )
  const left = async () =>
    store.jobs
      .list({}, { before: null, limit: 1000 })
      .map((each) => each.id)
      .reverse()
  const files = (job: string) => data.agent(agent.id).job(job).root
  return { store, data, agent, jobs, sweep, left, files, [Symbol.dispose]: () => store[Symbol.dispose]() }
}

const resultWith = (copy: string, job: string): JobResult => ({
  ...{ schemaVersion: 1, job, state: 'done', text: '', usage: null, costUsd: null, toolCalls: 0, turns: 0, cellMs: 0 },
  ...{ startedAt: '', endedAt: '', conversation: null, changes: null, copy, worktree: null, notes: [] },
  outcome: { kind: 'ran', exitCode: 0, message: null, hint: null, resetsAt: null },
})

test('by default nothing is deleted for its age, and what is too old or too much goes from the oldest on, with its files', async () => {
  using fleet = await ended(6, 100)
  const { jobs, sweep, left, files, store } = fleet
  expect([await sweep({}), store.jobs.bytes()]).toEqual([0, 600])
  expect([await sweep({ bytes: 450 }), store.jobs.bytes(), await left()]).toEqual([2, 400, jobs.slice(2)])
  expect(jobs.map((each) => existsSync(files(each)))).toEqual([false, false, true, true, true, true])
  expect(await sweep({ ageMs: 1000 })).toBe(0)
  expect([await sweep({ ageMs: 1000 }, { now: () => Date.now() + 2000 }), store.jobs.bytes(), await left()]).toEqual([4, 0, []])
})

test('a job stays that another one continues, or whose copy waits for a review', async () => {
  using fleet = await ended(3, 1)
  const { jobs, sweep, left, store, agent } = fleet
  const [first = '', second = '', third = ''] = jobs
  store.jobs.put({ ...plainJob, agent: agent.id, continues: first, conversation: 'c-1' })
  store.database.sql('UPDATE jobs SET result = ? WHERE id = ?').run(JSON.stringify(resultWith('abcdefgh', second)), second)
  expect(await sweep({ bytes: 0 }, { copies: ['abcdefgh'] })).toBe(1)
  expect((await left()).slice(0, 2)).toEqual([first, second])
  expect(await left()).not.toContain(third)
  expect(await sweep({ bytes: 0 })).toBe(1)
})

test('deleted entries and events beyond the newest free their space', async () => {
  using fleet = await ended(40, 1)
  const { sweep, store, data } = fleet
  store.database.shrink(0)
  const before = statSync(data.database).size
  expect(await sweep({ bytes: 0, events: 10 })).toBe(40)
  expect(statSync(data.database).size).toBeLessThan(before / 10)
  expect(store.events.last - store.events.first).toBe(9)
})

test('many events are deleted in slices, between which others are served', async () => {
  using fleet = await ended(1, 1)
  const { sweep, store } = fleet
  store.database.transaction(() => {
    for (let count = 0; count < 5000; count += 1) store.events.add({ kind: 'job.waiting' })
  })
  const left = new Set<number>()
  const looking = (async () => {
    while (!left.has(10)) {
      left.add(store.events.last - store.events.first + 1)
      await turn()
    }
  })()
  await sweep({ events: 10 })
  await looking
  expect(left.size).toBeGreaterThanOrEqual(5)
})
