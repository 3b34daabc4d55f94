import { agentStore } from '../../src/fleet/store/agent-store.ts'
import type { FleetDatabase } from '../../src/fleet/store/database.ts'
import { episodeStore } from '../../src/fleet/store/episodes.ts'
import { eventLog } from '../../src/fleet/store/event-log.ts'
import { jobStore } from '../../src/fleet/store/job-store.ts'
import { leaseStore } from '../../src/fleet/store/lease-store.ts'
import { tokenStore } from '../../src/fleet/store/token-store.ts'
import { usageGroups, usageStore } from '../../src/fleet/store/usage-store.ts'
import { plainJob } from './fleet-store.ts'

/** Runs every frequent statement of a fleet on its tables that grow. Leaves jobs and a token behind. `round`: a name for what it makes. */
export function useStatements(database: FleetDatabase, round: string): void {
  const events = eventLog(database)
  const usage = usageStore(database)
  const [agents, tokens] = [agentStore(database, events), tokenStore(database, events)]
  const leases = leaseStore(database, events, tokens)
  const queue = jobStore(database, events, { usage, leases, episodes: episodeStore(database) })
  const agent = agents.create({ name: `one-${round}`, agent: 'command', command: ['true'], labels: ['a'] }, null)
  agents.edit(agent.id, { ...agent.manifest, name: `two-${round}` }, 1, null)
  agents.want(agent.id, 'stopped')
  agents.list({ after: agent.id, limit: 5, archived: false })
  const { secret } = tokens.create({ name: `t-${round}`, role: 'viewer', expiresAt: null })
  tokens.check(secret)
  tokens.revoke(`t-${round}`)
  for (const filter of [
    {},
    { agent: agent.id },
    { lease: 'l-1' },
    { lease: 'l-1', state: 'queued' },
    { state: 'queued' },
    { agent: agent.id, state: 'queued' },
  ] as const)
    queue.list(filter, { before: 9, limit: 5 })
  const { job } = queue.put({ ...plainJob, labels: ['a'], idempotencyKey: round })
  queue.prompt(job.id)
  queue.wanted()
  queue.queued()
  queue.unfinished()
  queue.oldestQueued()
  queue.claim({ id: agent.id, labels: ['a'], adapter: 'command' }, [])
  queue.note(job.id, 'waiting')
  queue.inHand()
  queue.giveBack(job.id)
  queue.claim({ id: agent.id, labels: ['a'], adapter: 'command' }, [])
  const message = { ...plainJob, agent: agent.id, continues: job.id, isMessage: true }
  const said = queue.put(message)
  queue.put({ ...message, continues: said.job.id })
  queue.change(said.job.id, 'another')
  queue.cancel(said.job.id)
  queue.cancel(job.id)
  queue.end(job.id, { state: 'interrupted', problem: 'gone' })
  const [over] = queue.ended(null, 10)
  queue.ended(over ?? null, 10)
  queue.bytes()
  for (const by of usageGroups) usage.read({ by, from: '2026-01-01', to: '2026-12-31' })
  queue.remove(job.id)
  events.after(0, 10)
  events.keep(1, 10)
  agents.archive(agent.id)
  agents.remove(agent.id)
}
