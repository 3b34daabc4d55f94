// Runs a fleet with schedules for each minute until it is killed: node scheduling-process.ts DIRECTORY BASE. Its clock shows BASE plus
// 2,000 times the time since its start, so that a minute takes 30 ms. Prints a line for each job that it gives.
import { setTimeout } from 'node:timers/promises'
import { fleetData } from '../../../src/fleet/data-directory.ts'
import { runSchedules } from '../../../src/fleet/schedules/schedule-runner.ts'
import { openStore } from '../../../src/fleet/store/fleet-store.ts'
import { scheduleStore } from '../../../src/fleet/store/schedule-store.ts'

const [directory = '', base = ''] = process.argv.slice(2)
const start = Number(base)
const now = (): number => start + (Date.now() - start) * 2_000
const store = await openStore(fleetData(directory))
const { agents, jobs, database, events } = store
const schedules = scheduleStore(database, events, () => new Date(now()))
if (schedules.list().length === 0) {
  const { id: agent } = agents.create({ name: 'a', agent: 'claude' }, null)
  for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns'])
    schedules.create({
      name: zone.toLowerCase().replace('/', '-'),
      agent,
      cron: '* * * * *',
      zone,
      prompt: zone,
      missed: 'once',
      overlap: 'queue',
    })
}
const warn = (message: string): void => {
  throw new Error(message)
}
const give: Parameters<typeof runSchedules>[0]['give'] = (job) => {
  const given = jobs.put(job)
  process.stdout.write(`${job.requestedBy}\n`)
  return given
}
const runner = runSchedules({ schedules, agent: agents.get, events, job: jobs.get, give, isPaused: () => false, warn, now })
for (;;) {
  await setTimeout(1)
  runner.ring()
}
