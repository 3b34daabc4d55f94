import { type AgentDoing, agentDoing } from './agents/agent-activity.ts'
import type { FleetData } from './data-directory.ts'
import type { Work } from './fleet-work.ts'
import { isEnded, type JobState } from './jobs/job.ts'
import { TranscriptReader } from './jobs/transcript-reader.ts'
import type { Agent } from './store/agent-store.ts'
import type { Store } from './store/fleet-store.ts'
import type { Job } from './store/job-records.ts'
import { pausedText } from './store/pause-store.ts'
import { type Look, lookInto } from './workspace/workspace-state.ts'

/** The transcript of a job, for readers that follow it. */
export interface Transcript {
  after(number: number, limit: number): ReturnType<TranscriptReader['after']>
  /** Returns the number of the newest event; 0 without one. */
  last(): Promise<number>
  /** Calls the listener when there may be more events, or when the job has ended. Returns a function that removes the listener. */
  onGrowth(listener: () => void): () => void
  /** Returns true once no more events will follow. */
  hasEnded(): boolean
}

/** The current state of an agent, derived from its jobs. */
export interface AgentNow {
  readonly agent: Agent
  readonly state: 'working' | 'idle' | 'stopped' | 'archived' | 'failing'
  /** The number of jobs that are running or waiting. */
  readonly running: number
  readonly queued: number
  /** The reason why the agent cannot work, or null if it can. */
  readonly problem: string | null
}

/** What a fleet has to do now. */
export interface FleetLoad {
  /** Jobs that have not ended; the agent is a name, or null if any free one may take them. */
  readonly jobs: readonly { readonly agent: string | null; readonly state: JobState; readonly jobs: number }[]
  /** When the oldest queued job was created, in ISO 8601; null if none is queued. */
  readonly oldestQueuedAt: string | null
  readonly agents: readonly { readonly name: string; readonly isFailing: boolean }[]
  readonly cells: { readonly job: number; readonly terminal: number }
}

/** What a fleet shows of its work. */
export interface FleetViews {
  /** Returns the current states of agents, in their order. */
  now(agents: readonly Agent[]): readonly AgentNow[]
  load(): FleetLoad
  /** Returns the agent's current work, and how its last jobs ended. */
  doing(agent: Agent): Promise<AgentDoing>
  /** Returns whether the agent would take a job now. If several agents are suitable, the oldest one takes the job. */
  isFree(agent: Agent): boolean
  /** Reads an entry of the agent's own workspace, given by the names on its path. @throws PaddockError NOT_FOUND */
  look(agent: Agent, names: readonly string[], slot: number): Promise<Look>
  transcript(job: Job): Transcript
  /** The number of jobs that are running or waiting. */
  busy(): number
}

export function fleetViews({ agents, jobs, usage, pause }: Store, { workers, worker, onProgress }: Work, data: FleetData): FleetViews {
  const sumOf = (count: (each: ReturnType<typeof worker>) => number): number =>
    [...workers.values()].reduce((sum, each) => sum + count(each), 0)
  const cells = () => ({ job: sumOf(({ busy }) => busy), terminal: sumOf(({ sessions }) => sessions.size) })
  return {
    now(agents) {
      const queued = jobs.queued()
      const held = pause.now()?.jobs === true ? pausedText : null
      return agents.map((agent) => {
        const { busy: running, problem: broken, usedUp } = worker(agent.id)
        const isStopped = agent.wanted === 'stopped' || !agent.isApproved
        const resting = agent.archivedAt !== null ? 'archived' : isStopped ? 'stopped' : broken !== null ? 'failing' : 'idle'
        const problem = unapproved(agent) ?? broken ?? usedUp ?? held
        return { agent, state: running > 0 ? 'working' : resting, running, queued: queued.get(agent.id) ?? 0, problem }
      })
    },
    load() {
      const all = agents.list({ after: null, limit: Number.MAX_SAFE_INTEGER, archived: false })
      return {
        jobs: jobs
          .unfinished()
          .map(({ agent, ...each }) => ({ ...each, agent: agent === null ? null : (agents.get(agent)?.name ?? agent) })),
        oldestQueuedAt: jobs.oldestQueued(),
        agents: all.map(({ id, name }) => ({ name, isFailing: (workers.get(id)?.problem ?? null) !== null })),
        cells: cells(),
      }
    },
    doing: (agent) => agentDoing(agent, { jobs, usage, data }),
    isFree: ({ id }) => worker(id).isFree,
    look: ({ id }, names, slot) => lookInto(data.agent(id).slot(slot).work, names),
    transcript(job) {
      let known: TranscriptReader | null = null
      const reader = (): TranscriptReader | null => {
        // A job for any free agent has no files until an agent has taken it.
        const agent = known === null ? (job.agent ?? jobs.get(job.id)?.agent ?? null) : null
        if (agent !== null) known = new TranscriptReader(data.agent(agent).job(job.id).transcript)
        return known
      }
      return {
        after: async (number, limit) => reader()?.after(number, limit) ?? [],
        last: async () => reader()?.last() ?? 0,
        onGrowth: (listener) => onProgress(job.id, listener),
        hasEnded: () => isEnded(jobs.get(job.id)?.state ?? 'cancelled'),
      }
    },
    busy: () => cells().job,
  }
}

function unapproved({ isApproved, waiting }: Agent): string | null {
  if (isApproved) return null
  return waiting === null
    ? 'An owner did not approve its manifest. Edit the manifest.'
    : 'It works once an owner has approved its manifest.'
}
