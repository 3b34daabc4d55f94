import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { fleetData } from '../../../src/fleet/data-directory.ts'
import { openStore } from '../../../src/fleet/store/fleet-store.ts'
import { temporary } from '../../support/temporary.ts'

const kills = 40
const all = { before: null, limit: 1_000_000 }

test('a server that is killed around its due times again and again gives each time one job, and passes none in silence', async () => {
  await using directory = await temporary()
  const base = Date.now()
  const program = fileURLToPath(new URL('./scheduling-process.ts', import.meta.url))
  for (let killed = 0; killed < kills; killed++) {
    const child = spawn(process.execPath, [program, directory.at('data'), String(base)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    // A job was just given, so its time may not be recorded yet.
    await once(child.stdout, 'data')
    await setTimeout(Math.random() * 20)
    child.kill('SIGKILL')
    await ended
  }
  using store = await openStore(fleetData(directory.at('data')))
  const jobs = store.jobs.list({}, all)
  const dealtWith = store.events.after(0, 1_000_000).filter(({ kind }) => kind === 'schedule.due' || kind === 'schedule.skipped')
  expect(dealtWith.filter(({ kind }) => kind === 'schedule.skipped')).toEqual([])
  expect(jobs.length).toBeGreaterThan(kills)
  for (const { id, name, dueAt } of store.schedules.list()) {
    const own = dealtWith.map(({ data }) => data as { id: string; due: string; job: string }).filter((each) => each.id === id)
    const times = own.map(({ due }) => Date.parse(due))
    // Each recorded time is a whole minute, later than the one before, and has a separate job.
    expect(times.every((each, index) => each % 60_000 === 0 && each > (times[index - 1] ?? 0))).toBe(true)
    const given = jobs.filter((each) => each.requestedBy === `schedule ${name}`)
    const noted = new Set(own.map(({ job }) => job))
    expect(noted.size).toBe(own.length)
    // The last kill may have come between a job and its record. The next server finds that job by its time.
    const unnoted = given.filter((each) => !noted.has(each.id))
    expect(unnoted.map(({ idempotencyKey }) => idempotencyKey)).toEqual(unnoted.length === 0 ? [] : [`${id} ${dueAt}`])
    expect(given.length).toBe(own.length + unnoted.length)
    expect(new Set(given.map(({ idempotencyKey }) => idempotencyKey))).toEqual(
      new Set([...times, ...(unnoted.length === 0 ? [] : [dueAt])].map((each) => `${id} ${each}`)),
    )
  }
})
