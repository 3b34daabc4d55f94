import * as z from 'zod'
import { jobResultSchema, jobStates } from '../../fleet/jobs/job.ts'
import type { Job } from '../../fleet/queue/queue.ts'
import type { Agents } from '../../fleet/store/agents.ts'

export const jobSchema = z
  .object({
    id: z.string(),
    number: z.int(),
    agent: z.string().nullable().describe('The name of the agent; null: any free one with the labels takes it.'),
    agentId: z.string().nullable(),
    labels: z.array(z.string()),
    state: z.enum(jobStates),
    attempt: z.int(),
    promptStart: z.string().describe('The first 200 characters of the prompt.'),
    requestedBy: z.string(),
    continues: z.string().nullable().describe('The job whose conversation it continues, or that it follows because that one was lost.'),
    conversation: z.string().nullable(),
    isMessage: z.boolean().describe('A message to the job that it continues: it begins when that one has ended.'),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    cancelAsked: z.boolean(),
    problem: z.string().nullable(),
    result: jobResultSchema.omit({ schemaVersion: true, job: true }).nullable(),
  })
  .meta({ id: 'Job' })
export const wholeJobSchema = jobSchema.extend({ prompt: z.string() }).meta({ id: 'WholeJob' })

/** A job as the API shows it. */
export function jobView(
  { agent: agentId, slot: _slot, adapter: _adapter, result, ...job }: Job,
  agents: Pick<Agents, 'get'>,
): z.output<typeof jobSchema> {
  return {
    ...job,
    agentId,
    agent: agentId === null ? null : (agents.get(agentId)?.name ?? null),
    labels: [...job.labels],
    result,
  }
}
