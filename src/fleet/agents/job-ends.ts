import type { Budgets } from '../budgets/budgets.ts'
import type { AgentData } from '../data-directory.ts'
import type { Job, JobQueue } from '../queue/queue.ts'
import type { Agents } from '../store/agents.ts'
import { jobBytes, readResult } from './job-files.ts'
import { followUp, remainsOf } from './lost-job.ts'

export interface EndsDeps {
  readonly agents: Pick<Agents, 'get'>
  readonly queue: JobQueue
  readonly data: AgentData
  readonly budgets: Pick<Budgets, 'prices'>
}

/** Records the end of a job that has a result. Returns false if the job has no result. */
export async function settle(id: string, { queue, data }: EndsDeps): Promise<boolean> {
  const result = await readResult(data.job(id))
  if (result === null) return false
  await queue.end(id, { result }, await jobBytes(data.job(id)))
  return true
}

/** Records that a job was lost. Returns true if the agent's manifest makes another job follow automatically. */
export async function interrupt(job: Job, { agents, queue, data, budgets }: EndsDeps): Promise<boolean> {
  const agent = job.agent === null ? null : agents.get(job.agent)
  const { conversation, used } = await remainsOf(data.job(job.id), job, budgets.prices)
  const next = agent === null || job.cancelAsked ? null : await followUp(job, agent.manifest, conversation, queue, used)
  // Queue the follow-up first: a crash in between then loses nothing, and its idempotency key prevents a duplicate.
  if (next !== null) await queue.put(next)
  const problem = 'Its host process ended before the job did.'
  const state = job.cancelAsked ? 'cancelled' : 'interrupted'
  await queue.end(job.id, { state, problem, conversation, used }, await jobBytes(data.job(job.id)))
  return next !== null
}
