import type { Budgets } from '../budgets/budgets.ts'
import type { ToHost } from '../host-process/host-protocol.ts'
import { foreignText } from '../jobs/foreign-text.ts'
import { memoryText } from '../jobs/memory-text.ts'
import { leaseAllowances } from '../leases/lease-problem.ts'
import type { Agent } from '../store/agent-store.ts'
import type { Episodes } from '../store/episodes.ts'
import type { Job, Jobs } from '../store/job-records.ts'
import type { Lease } from '../store/lease-store.ts'
import { worktreeName } from './worktree-name.ts'

export interface OrderDeps {
  readonly jobs: Pick<Jobs, 'get' | 'prompt' | 'limits'>
  readonly budgets: Budgets
  readonly episodes: Pick<Episodes, 'list'>
}

/** Returns the frame that makes a host process run a job. `lease`: the job's lease, or null. */
export function runOrder(agent: Agent, job: Job, lease: Lease | null, { jobs, budgets, episodes }: OrderDeps): ToHost {
  const { manifest } = agent
  const { limits, prices } = budgets.of(agent).allowances
  const remembered = manifest.memory === undefined ? [] : episodes.list(agent.id, manifest.memory.last, job.lease)
  const untrusted = foreignText(job, remembered, jobs)
  return {
    type: 'run',
    job: job.id,
    slot: job.slot ?? 1,
    prompt: jobs.prompt(job.id),
    manifest,
    byOwner: job.byOwner,
    conversation: job.conversation,
    worktree: worktreeName(job, jobs),
    allowances: { limits: [...limits, ...(lease === null ? [] : leaseAllowances(lease)), ...jobs.limits(job.id)], prices },
    ...(remembered.length === 0 ? {} : { memory: memoryText(remembered) }),
    ...(untrusted.length === 0 ? {} : { untrusted: [...untrusted] }),
    ...leaseOrder(lease),
  }
}

/** Returns the lease of a job in the form that a host process receives. */
function leaseOrder(lease: Lease | null) {
  if (lease === null) return {}
  const { id, expiresAt, tools } = lease
  return { lease: { id, expiresAt, ...(tools === undefined ? {} : { tools: [...tools] }) } }
}
