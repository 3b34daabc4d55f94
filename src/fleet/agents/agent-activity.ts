import { existsSync } from 'node:fs'
import type { FleetData } from '../data-directory.ts'
import { isEnded } from '../jobs/job.ts'
import { newestEvent } from '../jobs/transcript-reader.ts'
import type { Agent } from '../store/agent-store.ts'
import type { Jobs, RecentJob } from '../store/job-records.ts'
import type { UsageStore } from '../store/usage-store.ts'
import { eventSentence } from './event-sentence.ts'

/** An agent's current work and its latest jobs, for a list of agents. */
export interface AgentDoing {
  /** The newest text or action of the most recently started running job. Null without one, or if its newest event is not about the work. */
  readonly now: { readonly text: string; readonly at: string } | null
  /** True while the newest running job has not launched anything yet: its workspace, login and network are being prepared. */
  readonly isStarting: boolean
  /** The most recently started jobs, newest first. */
  readonly recent: readonly RecentJob[]
  /** The cost of the agent's jobs today (UTC) and the agent's daily budget, in US dollars. */
  readonly today: { readonly usd: number; readonly budget: number | null }
}

export interface DoingMeans {
  readonly jobs: Pick<Jobs, 'recent'>
  readonly usage: Pick<UsageStore, 'spent'>
  readonly data: Pick<FleetData, 'agent'>
}

const mostRecent = 12

export async function agentDoing(agent: Agent, { jobs, usage, data }: DoingMeans): Promise<AgentDoing> {
  const recent = jobs.recent(agent.id, mostRecent)
  const running = recent.find(({ state }) => !isEnded(state))
  const transcript = running === undefined ? null : data.agent(agent.id).job(running.id).transcript
  const event = transcript === null ? null : await newestEvent(transcript)
  const text = event === null ? null : eventSentence(event)
  const day = new Date().toISOString().slice(0, 10)
  return {
    now: event === null || text === null ? null : { text, at: event.at },
    // A transcript is opened right before the cell is launched.
    isStarting: transcript !== null && event === null && !existsSync(transcript),
    recent,
    today: { usd: usage.spent(agent.id, day, day).usd, budget: agent.manifest.budgets?.day?.usd ?? null },
  }
}
