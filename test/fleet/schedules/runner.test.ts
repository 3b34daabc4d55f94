import { expect, onTestFinished, test } from 'vitest'
import { PaddockError } from '../../../src/base/errors.ts'
import { runSchedules } from '../../../src/fleet/schedules/schedule-runner.ts'
import { type ScheduleWish, scheduleStore } from '../../../src/fleet/store/schedule-store.ts'
import { openTestStore } from '../../support/fleet-store.ts'

const minute = 60_000
const begin = Date.parse('2026-03-02T08:59:30Z')

/** Schedules of one agent over a real store, with a clock that the test controls. */
async function scheduled() {
  const opened = await openTestStore()
  onTestFinished(() => opened[Symbol.dispose]())
  const clock = { ms: begin }
  const schedules = scheduleStore(opened.database, opened.events, () => new Date(clock.ms))
  const agent = opened.agents.create({ name: 'a', agent: 'command', command: ['true'] }, null)
  const warnings: string[] = []
  const deps = {
    schedules,
    events: opened.events,
    agent: opened.agents.get,
    job: opened.jobs.get,
    give: opened.jobs.put,
    isPaused: () => false,
    warn: (message: string) => void warnings.push(message),
    now: () => clock.ms,
  }
  /** Runs the schedules once at the time of the clock, like a server at startup. */
  const look = async (more: Partial<typeof deps> = {}): Promise<void> => {
    const runner = runSchedules({ ...deps, ...more })
    const isDone = (): boolean => schedules.due(clock.ms, 1).length === 0
    for (let tries = 0; !isDone() && tries < 1000; tries++) await new Promise((resolve) => setImmediate(resolve))
    runner[Symbol.dispose]()
  }
  const jobs = async () => opened.jobs.list({}, { before: null, limit: 100 }).map(({ id, state }) => ({ id, state }))
  const wish = (more: Partial<ScheduleWish> = {}): ScheduleWish => ({
    ...{ name: 'nightly', agent: agent.id, cron: '0 9 * * *', zone: 'UTC', prompt: 'look', missed: 'once', overlap: 'skip' },
    ...more,
  })
  /** Ends all jobs, as their agent would. */
  const endAll = async (): Promise<void> => {
    for (;;) {
      const job = opened.jobs.claim({ id: agent.id, labels: [], adapter: 'command' }, [])
      if (job === null) return
      opened.jobs.end(job.id, { state: 'cancelled', problem: 'over' })
    }
  }
  return { ...opened, clock, schedules, agent, look, jobs, wish, endAll, warnings }
}

test('a job is given at its time, once, and the next time is the day after', async () => {
  const { schedules, clock, look, jobs, wish } = await scheduled()
  const { id, dueAt } = schedules.create(wish())
  expect(dueAt).toBe(Date.parse('2026-03-02T09:00:00Z'))
  await look()
  expect(await jobs()).toEqual([])
  clock.ms += minute
  await look()
  await look()
  const [job, ...others] = await jobs()
  expect([job?.state, others]).toEqual(['queued', []])
  expect(schedules.find(id)).toMatchObject({ lastJob: job?.id, problem: null, dueAt: Date.parse('2026-03-03T09:00:00Z') })
})

test('a server that is killed between a job and its note gives it no second time; a clock that is set back neither', async () => {
  const { schedules, clock, look, jobs, wish } = await scheduled()
  schedules.create(wish())
  clock.ms += minute
  // The record is lost.
  await look({
    schedules: { ...schedules, pass: () => undefined, due: (time, limit) => (clock.ms < 0 ? [] : once(schedules.due(time, limit))) },
  })
  expect(await jobs()).toHaveLength(1)
  expect(schedules.due(clock.ms, 10)).toHaveLength(1)
  await look()
  expect(await jobs()).toHaveLength(1)
  clock.ms -= 30 * minute
  await look()
  clock.ms += 31 * minute
  await look()
  expect(await jobs()).toHaveLength(1)
})

/** Returns these items the first time, and none afterwards. */
let hasLooked = false
function once<T>(items: readonly T[]): readonly T[] {
  const found = hasLooked ? [] : items
  hasLooked = true
  return found
}

test('times that passed without a server have one job together, or none', async () => {
  const { schedules, clock, look, jobs, wish, events } = await scheduled()
  schedules.create(wish({ name: 'one', cron: '*/10 * * * *' }))
  schedules.create(wish({ name: 'none', cron: '*/10 * * * *', missed: 'skip' }))
  clock.ms += 5 * 24 * 60 * minute
  await look()
  expect(await jobs()).toHaveLength(1)
  expect(schedules.find('none')).toMatchObject({ lastJob: null, problem: 'No server ran at its time.' })
  expect(schedules.find('none').dueAt).toBe(schedules.find('one').dueAt)
  const kinds = events.after(0, 100).map(({ kind }) => kind)
  expect(kinds.filter((each) => each.startsWith('schedule.')).sort()).toEqual([
    'schedule.created',
    'schedule.created',
    'schedule.due',
    'schedule.skipped',
  ])
})

test('while the last job has not ended, a time is skipped, or its job waits', async () => {
  const { schedules, clock, look, jobs, wish, endAll } = await scheduled()
  schedules.create(wish({ cron: '* * * * *' }))
  clock.ms += minute
  await look()
  clock.ms += minute
  await look()
  const [first] = await jobs()
  expect(await jobs()).toHaveLength(1)
  expect(schedules.find('nightly').problem).toBe(`Its last job has not ended: ${first?.id}.`)
  schedules.edit(schedules.find('nightly').id, wish({ cron: '* * * * *', overlap: 'queue' }))
  clock.ms += minute
  await look()
  expect(await jobs()).toHaveLength(2)
  schedules.edit(schedules.find('nightly').id, wish({ cron: '* * * * *' }))
  await endAll()
  clock.ms += minute
  await look()
  expect(await jobs()).toHaveLength(3)
})

test('a paused schedule has no time; an archived agent has no job; a deleted one no schedule', async () => {
  const { schedules, clock, look, jobs, wish, agents, agent } = await scheduled()
  const { id } = schedules.create(wish({ cron: '* * * * *' }))
  expect(schedules.pause(id, true)).toMatchObject({ paused: true, dueAt: null })
  clock.ms += 10 * minute
  await look()
  expect(schedules.pause(id, false)).toMatchObject({ paused: false, dueAt: Date.parse('2026-03-02T09:10:00Z') })
  agents.want(agent.id, 'stopped')
  agents.archive(agent.id)
  clock.ms += minute
  await look()
  expect(await jobs()).toEqual([])
  expect(schedules.find(id).problem).toBe('Its agent is archived.')
  agents.remove(agent.id)
  expect(schedules.list()).toEqual([])
})

test('an invalid schedule is refused with the reason', async () => {
  const { schedules, wish } = await scheduled()
  for (const [cron, zone, said] of [
    ['* * * *', 'UTC', '* * * * is not a cron pattern of five fields.'],
    ['* * * * * *', 'UTC', '* * * * * * is not a cron pattern of five fields.'],
    ['@daily', 'UTC', '@daily is not a cron pattern of five fields.'],
    ['61 * * * *', 'UTC', '61 * * * * is not a cron pattern: '],
    ['0 9 * * 9', 'UTC', /^0 9 \* \* 9 is not a cron pattern: (?!CronPattern)[^.]+\.$/],
    ['0 9 * * *', 'Mars/Olympus', /^Mars\/Olympus is not a time zone\.$/],
    ['0 9 * * *', 'europe/berln', /^europe\/berln is not a time zone\.$/],
  ] as const)
    expect(() => schedules.create(wish({ cron, zone }))).toThrow(said)
  schedules.create(wish())
  expect(() => schedules.create(wish())).toThrow('There is a schedule named nightly already.')
  expect(schedules.create(wish({ name: 'never', cron: '0 0 30 2 *' })).dueAt).toBeNull()
})

test('a job that its agent refuses is the problem of its time, and the next time is tried', async () => {
  const { schedules, clock, look, jobs, wish } = await scheduled()
  schedules.create(wish())
  clock.ms += minute
  await look({
    give() {
      throw new PaddockError('TOPIC_REFUSED', 'The topics of the agent refuse this text.')
    },
  })
  expect(await jobs()).toEqual([])
  expect(schedules.find('nightly')).toMatchObject({
    ...{ lastJob: null, problem: 'The topics of the agent refuse this text.' },
    dueAt: Date.parse('2026-03-03T09:00:00Z'),
  })
})
