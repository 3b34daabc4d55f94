import { fleetData } from '../../src/fleet/data-directory.ts'
import type { JobResult } from '../../src/fleet/jobs/job.ts'
import { openStore } from '../../src/fleet/store/fleet-store.ts'

/** The answer of a job, and what it changed. */
const text = 'It is done. '.repeat(400)
const created = Array.from({ length: 50 }, (_, index) => `src/folder/file-${index}.ts`)

function resultOf(job: string): JobResult {
  const [startedAt, endedAt] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z']
  return {
    ...{ schemaVersion: 1, job, state: 'done', text, startedAt, endedAt, conversation: null, copy: null, worktree: null, notes: [] },
    outcome: { kind: 'ran', exitCode: 0, message: null, hint: null, resetsAt: null },
    ...{ usage: { input: 1000, output: 1000, cachedInput: 0, model: 'm' }, costUsd: 0.1, toolCalls: 5, turns: 5, cellMs: 60_000 },
    changes: { created, modified: [], deleted: [], renamed: [], git: [], runsLater: [], truncated: false },
  }
}

/** Fills a data directory with agents, jobs that have ended, every second one with a result, and events. */
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
    const { job: made } = store.jobs.put({ ...job, agent, prompt: `job ${index}: ${'x'.repeat(500)}` })
    store.jobs.claim({ id: agent, labels: [], adapter: 'command' }, [])
    const lost = { state: 'interrupted', problem: 'It was never meant to run.' } as const
    store.jobs.end(made.id, index % 2 === 0 ? lost : { result: resultOf(made.id) }, 1000)
  }
  store.database.transaction(() => {
    for (let left = events - store.events.last; left > 0; left -= 1)
      store.events.add({ kind: 'job.waiting', agent: ids[left % agents] ?? '', data: { state: 'waiting' } })
  })
}
