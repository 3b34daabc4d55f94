import { PaddockError } from '../base/errors.ts'
import { removeAgent } from './agents/removed-agents.ts'
import type { FleetData } from './data-directory.ts'
import type { Work } from './fleet-work.ts'
import type { Incoming } from './leases/admission.ts'
import { resumeStore } from './resume.ts'
import type { Agent, Agents } from './store/agent-store.ts'
import type { Store } from './store/fleet-store.ts'
import type { Job } from './store/job-records.ts'
import type { Lease, Leases, LeaseTerms } from './store/lease-store.ts'
import type { Pause } from './store/pause-store.ts'

/** The commands that people give to a fleet. Returned data is on the disk by then. */
export interface FleetCommands extends Pick<Work, 'give' | 'cancel'> {
  create(...args: Parameters<Agents['create']>): Agent
  edit(agent: Agent, manifest: Agent['manifest'], version: number, waitsOf: string | null): Agent
  /** Takes or drops the manifest of an agent that waits for an owner. @throws PaddockError CONFLICT */
  decide(agent: Agent, version: number, isAllowed: boolean): Agent
  start(agent: Agent): Agent
  /** Stops taking work; running jobs continue. */
  stop(agent: Agent): Agent
  /** Ends the agent's jobs, then archives the agent. */
  archive(agent: Agent): Promise<Agent>
  /** Ends the agent's jobs, then deletes the agent with its jobs, transcripts, homes and workspaces. */
  remove(agent: Agent): Promise<void>
  /**
   * Replaces the prompt of a job that has not started.
   * @throws PaddockError NOT_FOUND, CONFLICT if it has started, TOPIC_REFUSED
   */
  change(id: string, prompt: string, incoming?: Incoming): Job
  /**
   * Ends the job that a message waits for, so that the message starts as soon as the job's cell is gone; earlier messages start first.
   * @throws PaddockError NOT_FOUND, CONFLICT if the job is not a message or has started
   */
  sendNow(id: string): Job
  /** Lends an agent. @throws PaddockError CONFLICT if the name is taken */
  lend(terms: LeaseTerms): ReturnType<Leases['create']>
  /** Ends a lease. Its token is invalid then, and its jobs are cancelled or were asked to end. */
  revoke(lease: Lease): Lease
  /** Ends the pause, and returns it; null if the fleet was not paused. */
  resume(): Pause | null
}

export function fleetCommands(store: Store, work: Work, data: FleetData): FleetCommands {
  const { agents, jobs, leases } = store
  return {
    give: work.give,
    cancel: work.cancel,
    create: (manifest, waitsOf) =>
      store.database.transaction(() => {
        const from = manifest.memory?.inherit === undefined ? null : agents.find(manifest.memory.inherit)
        const agent = agents.create(manifest, waitsOf)
        if (from !== null) store.episodes.inherit(agent.id, from)
        return agent
      }),
    edit: (agent, manifest, version, waitsOf) => agents.edit(agent.id, manifest, version, waitsOf),
    decide: (agent, version, isAllowed) => agents.decide(agent.id, version, isAllowed),
    start(agent) {
      if (agent.archivedAt !== null) throw new PaddockError('CONFLICT', `${agent.name} is archived.`)
      return agents.want(agent.id, 'started')
    },
    stop: (agent) => agents.want(agent.id, 'stopped'),
    async archive(agent) {
      // From now on, no job is accepted, so the jobs that are cancelled are all.
      const archived = agents.archive(agent.id)
      await work.quiet(agent)
      return archived
    },
    async remove(agent) {
      await work.quiet(agent)
      await removeAgent(data, agents, agent.id)
    },
    change(id, prompt, incoming = {}) {
      work.admission.admitChange(work.find(id), prompt, incoming)
      const job = jobs.change(id, prompt, incoming.sender?.role === 'owner')
      if (job !== null) return job
      throw new PaddockError('CONFLICT', `The job ${id} has begun: ${work.find(id).state}.`, {
        hint: `Send it a message: paddock job message ${id}`,
      })
    },
    sendNow(id) {
      const message = work.find(id)
      if (!message.isMessage || message.state !== 'queued')
        throw new PaddockError('CONFLICT', `The job ${id} is not a message that waits for the end of another job.`)
      let before = message
      while (before.state === 'queued' && before.isMessage && before.continues !== null) before = work.find(before.continues)
      if (before.state === 'running' || before.state === 'waiting') {
        jobs.cancel(before.id)
        work.interrupt(before)
      }
      return message
    },
    lend: leases.create,
    revoke({ id }) {
      leases.revoke(id)
      work.leases.look()
      return leases.get(id) as Lease
    },
    resume: () => resumeStore(store, Date.now()),
  }
}
