import { fleetData } from '../../src/fleet/data-directory.ts'
import { openStore } from '../../src/fleet/fleet.ts'

/** Fills a data directory with agents, jobs that have ended, and events. */
export async function seed(data: string, { agents, jobs, events }: { agents: number; jobs: number; events: number }): Promise<void> {
  using store = await openStore(fleetData(data))
  const ids = Array.from({ length: agents }, (_, index) => {
    const agent = store.agents.create({ name: `agent-${index}`, agent: 'command', command: ['true'], egress: { policy: 'off' } }, null)
    store.agents.want(agent.id, 'stopped')
    return agent.id
  })
  const job = { labels: [], requestedBy: 'owner', continues: null, conversation: null, idempotencyKey: null }
  for (let index = 0; index < jobs; index += 1) {
    const agent = ids[index % agents] ?? ''
    const { job: made } = await store.queue.put({ ...job, agent, prompt: `job ${index}: ${'x'.repeat(500)}` })
    await store.queue.claim({ id: agent, labels: [], adapter: 'command' }, [])
    await store.queue.end(made.id, { state: 'interrupted', problem: 'It was never meant to run.' }, 1000)
  }
  store.database.transaction(() => {
    for (let left = events - store.events.last; left > 0; left -= 1)
      store.events.add({ kind: 'job.waiting', agent: ids[left % agents] ?? '', data: { state: 'waiting' } })
  })
}
