import * as z from 'zod'
import { budgetSchema } from '../../config/budget.ts'
import { jobBudget } from '../../fleet/budgets/job-budget.ts'
import { jobResultSchema, jobStates } from '../../fleet/jobs/job.ts'
import { type ListedJob, type ListedResult, wholeResult } from '../../fleet/jobs/listed-job.ts'
import { leaseBudget } from '../../fleet/leases/lease-problem.ts'
import type { Agents } from '../../fleet/store/agent-store.ts'
import type { Job } from '../../fleet/store/job-records.ts'
import type { Caller } from '../access/caller.ts'
import { remembered } from './page-text-routes.ts'

export const jobSchema = z
  .object({
    id: z.string(),
    number: z.int(),
    agent: z.string().nullable().describe('The name of the agent; null if any free one with the labels takes it.'),
    agentId: z.string().nullable(),
    labels: z.array(z.string()),
    state: z.enum(jobStates),
    attempt: z.int(),
    promptStart: z.string().describe('The first 200 characters of the prompt.'),
    requestedBy: z.string(),
    parent: z.string().nullable().describe('The job that delegated it.'),
    lease: z.string().nullable().describe('The id of the lease that it belongs to.'),
    continues: z
      .string()
      .nullable()
      .describe('The job whose conversation it continues, or that it follows because that conversation was lost.'),
    conversation: z.string().nullable(),
    isMessage: z.boolean().describe('Whether it is a message to the job that it continues. It starts when that one has ended.'),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    cancelAsked: z.boolean(),
    problem: z.string().nullable(),
    result: jobResultSchema
      .omit({ schemaVersion: true, job: true })
      .extend({
        files: z.int().describe('The number of files in `changes`, also those that a list leaves out.'),
        toApply: z
          .int()
          .describe(
            'The number of changed files in its copy that were neither applied nor discarded, or of commits on its branch that were not merged, as far as the server knows.',
          ),
        isShort: z
          .boolean()
          .describe('True in a list that has only the first 1,000 characters of `text`, or the first 20 entries of `changes` and `notes`.'),
      })
      .nullable(),
  })
  .meta({ id: 'Job' })
export const wholeJobSchema = jobSchema
  .extend({ prompt: z.string(), budget: budgetSchema.nullable().describe('The budget that was given with the job.') })
  .meta({ id: 'WholeJob' })

/** Returns a job for the API. Facts about the owner's machine are hidden from borrowers: hints, notes, copies, why a cell did not start. */
export function jobView(job: Job, agents: Pick<Agents, 'get'>, caller: Pick<Caller, 'role'>): JobView {
  const result = job.result === null ? null : wholeResult(job.result)
  return viewOf({ ...job, result }, nameOf(job, agents), caller.role === 'borrower')
}

/** Returns a job for a list of the API. It is the same object as before if the job and the name of its agent did not change. */
export function listedJobView(job: ListedJob, agents: Pick<Agents, 'get'>, caller: Pick<Caller, 'role'>): JobView {
  const isBorrower = caller.role === 'borrower'
  return (isBorrower ? viewForBorrower : viewForOthers)(job, nameOf(job, agents), isBorrower)
}

type JobView = z.output<typeof jobSchema>
const [viewForBorrower, viewForOthers] = [remembered(viewOf), remembered(viewOf)]

function nameOf({ agent }: Pick<Job, 'agent'>, agents: Pick<Agents, 'get'>): string | null {
  return agent === null ? null : (agents.get(agent)?.name ?? null)
}

function viewOf(job: ListedJob, agent: string | null, isBorrower: boolean): JobView {
  const { agent: agentId, slot: _slot, adapter: _adapter, idempotencyKey: _key, toApply, result: found, labels, ...shown } = job
  const result = found === null || !isBorrower ? found : forBorrower(found)
  const common = { ...shown, agentId, agent, labels: [...labels] }
  return { ...common, result: result === null ? null : { ...result, toApply: waiting(result, toApply) } }
}

/** Returns how many changes wait to be applied. `noted`: their number at the last review; null if there was none. */
function waiting({ copy, worktree, files }: ListedResult, noted: number | null): number {
  if (copy === null && worktree === null) return 0
  return noted ?? (copy === null ? (worktree?.unmerged ?? 0) : files)
}

/** Outcomes whose messages contain details of the owner's machine or accounts. */
const ofOwner: readonly string[] = ['start-failed', 'login-needed', 'endpoint-failed']

function forBorrower(result: ListedResult): ListedResult {
  const { outcome } = result
  const { kind, message } = outcome
  const isOfOwner =
    ofOwner.includes(kind) || (kind === 'out-of-budget' && ![leaseBudget, jobBudget].some((each) => message?.startsWith(each)))
  const shown = isOfOwner ? 'The reason concerns its owner: ask the person who lent you the agent.' : message
  return { ...result, outcome: { ...outcome, message: shown, hint: null }, copy: null, worktree: null, notes: [] }
}
