import type { Budgets } from '../budgets/budgets.ts'
import type { AgentData } from '../data-directory.ts'
import type { Agents } from '../store/agent-store.ts'
import type { Jobs } from '../store/job-records.ts'
import { jobBytes, readResult } from './job-files.ts'
import { followUp, remainsOf } from './lost-job.ts'

export interface EndsDeps {
  readonly agents: Pick<Agents, 'get'>
  readonly jobs: Jobs
  readonly data: AgentData
  readonly budgets: Pick<Budgets, 'prices'>
}

/** Records the end of a job that has a result. Returns false if the job has no result. */
export async function settle(id: string, { jobs, data }: EndsDeps): Promise<boolean> {
  const result = await readResult(data.job(id))
  if (result === null) return false
  const bytes = await jobBytes(data.job(id))
  jobs.end(id, { result }, bytes)
  return true
}

/** Records that a job was lost. If the agent's manifest says so, another job follows it. */
export async function interrupt(id: string, { agents, jobs, data, budgets }: EndsDeps): Promise<void> {
  const { conversation, used } = await remainsOf(data.job(id), jobs.get(id)?.conversation ?? null, budgets.prices)
  const bytes = await jobBytes(data.job(id))
  const job = jobs.get(id)
  if (job === null) return
  const agent = job.agent === null ? null : agents.get(job.agent)
  const next = agent === null || job.cancelAsked ? null : followUp(job, agent.manifest, conversation, jobs, used)
  // Queue the follow-up first: a crash in between then loses nothing, and its idempotency key prevents a duplicate.
  if (next !== null) jobs.put(next)
  const problem = 'Its host process ended before the job did.'
  jobs.end(id, { state: job.cancelAsked ? 'cancelled' : 'interrupted', problem, conversation, used }, bytes)
}
