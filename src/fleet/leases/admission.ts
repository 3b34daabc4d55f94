import type { AuditSink } from '../../audit/event.ts'
import { PaddockError } from '../../base/errors.ts'
import type { Agent, Agents } from '../store/agent-store.ts'
import type { FleetDatabase } from '../store/database.ts'
import type { EventLog } from '../store/event-log.ts'
import type { Job, Jobs, NewJob } from '../store/job-records.ts'
import type { Leases } from '../store/lease-store.ts'
import type { Role } from '../store/token-store.ts'
import { leaseProblem } from './lease-problem.ts'
import { type Topics, topicRefusal } from './topics.ts'

/** The origin of a text. */
export interface Incoming {
  /** The sender; absent for a program. `lease`: the id of the lease that gives the sender access. */
  readonly sender?: { readonly name: string; readonly role: Role; readonly lease: string | null }
  /** The id of the lease that the delegating job belongs to, or null. */
  readonly lentBy?: string | null
  /** The part of the prompt that came from outside; by default the whole prompt. */
  readonly text?: string
}

export interface Admission {
  /**
   * Admits a job or a message.
   * @throws PaddockError TOPIC_REFUSED; CONFLICT if the lease has ended, is used up, or has too many jobs in the queue
   */
  admit(wish: NewJob, incoming: Incoming): void
  /**
   * Admits a new prompt for a job.
   * @throws PaddockError TOPIC_REFUSED
   */
  admitChange(job: Job, text: string, incoming: Incoming): void
}

export interface AdmissionDeps {
  readonly database: Pick<FleetDatabase, 'transaction'>
  readonly agents: Pick<Agents, 'get' | 'list'>
  readonly jobs: Pick<Jobs, 'get' | 'list'>
  readonly leases: Pick<Leases, 'get'>
  readonly events: Pick<EventLog, 'add'>
  readonly audit: AuditSink
  readonly now: () => number
}

/** The owner of topics. */
interface Whose {
  readonly name: string
  readonly agent: string | null
  readonly lease: string | null
}

/** The most queued jobs of one lease, because other jobs wait behind them. */
const mostQueued = 50

/** Returns the check for every text that reaches an agent: jobs, messages, schedules, hooks, other agents. */
export function admissionTo({ database, agents, jobs, leases, events, audit, now }: AdmissionDeps): Admission {
  const refuseBy = (topics: Topics | undefined, whose: Whose, text: string, { sender, by }: Incoming & { readonly by: string }): void => {
    const why = topics === undefined ? null : topicRefusal(text, topics)
    if (why === null) return
    const { name, agent, lease } = whose
    audit({ kind: 'fleet.topic', actor: by, data: { agent, lease, why: `${name}: ${why}` } })
    database.transaction(() => events.add({ kind: 'topic.refused', agent, data: { by, lease } }))
    // Other senders would learn how to get around the topics.
    const shown = sender?.role === 'owner' ? `: ${why}` : ''
    throw new PaddockError('TOPIC_REFUSED', `${name} refuse this text${shown}.`, { hint: 'Ask for what the agent is there for' })
  }
  const check = (wish: Pick<NewJob, 'agent' | 'labels' | 'requestedBy'>, lease: string | null, text: string, incoming: Incoming): void => {
    const from = { ...incoming, by: incoming.sender?.name ?? wish.requestedBy }
    for (const { id, manifest } of takers(wish))
      refuseBy(manifest.topics, { name: 'The topics of the agent', agent: id, lease: null }, text, from)
    // Other people's messages to a job of a lease do not come from the borrower.
    const by = incoming.lentBy ?? (lease !== null && incoming.sender?.lease === lease ? lease : null)
    if (by !== null) refuseBy(leases.get(by)?.topics, { name: 'The topics of the lease', agent: wish.agent, lease: by }, text, from)
  }
  /** Returns all agents that may get the text. */
  const takers = ({ agent, labels }: Pick<NewJob, 'agent' | 'labels'>): readonly Agent[] => {
    if (agent !== null) return [agents.get(agent)].filter((each) => each !== null)
    const all = agents.list({ after: null, limit: Number.MAX_SAFE_INTEGER, archived: false })
    return all.filter(({ manifest }) => labels.every((each) => (manifest.labels ?? []).includes(each)))
  }
  return {
    admit(wish, incoming) {
      const before = wish.continues === null ? null : jobs.get(wish.continues)
      const lease = wish.lease ?? before?.lease ?? null
      if (lease !== null) {
        const waiting = jobs.list({ lease, state: 'queued' }, { before: null, limit: mostQueued })
        if (waiting.length >= mostQueued)
          throw new PaddockError('CONFLICT', `${mostQueued} jobs of the lease are queued, which is the maximum.`, {
            hint: 'Wait for one to end',
          })
        const problem = leaseProblem(leases.get(lease), wish.agent === null ? null : agents.get(wish.agent), now())
        if (problem !== null) throw new PaddockError('CONFLICT', problem)
      }
      check(wish, lease, incoming.text ?? wish.prompt, incoming)
    },
    admitChange: (job, text, incoming) => check(job, job.lease, text, incoming),
  }
}
