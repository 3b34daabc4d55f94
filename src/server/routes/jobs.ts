import * as z from 'zod'
import { PaddockError } from '../../errors.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { jobResultSchema, jobStates } from '../../fleet/jobs/job.ts'
import type { Capabilities } from '../../fleet/machine/capabilities.ts'
import { refuseWhatCannotBe } from '../../fleet/machine/gate.ts'
import type { Job } from '../../fleet/queue/queue.ts'
import type { Agent } from '../../fleet/store/agents.ts'
import { type Caller, callerOf } from '../access/caller.ts'
import type { App } from '../deps.ts'
import { Refusal } from '../problem.ts'
import { type StreamAnswers, streamHeaders, streamQuery } from '../streams/answer.ts'
import { transcriptSource } from '../streams/transcript-source.ts'
import { cursorAfter, keyOf, listQuery, pageOf } from './lists.ts'

export interface JobRoutes {
  readonly fleet: Fleet
  readonly capabilities: () => Promise<Capabilities>
  /** The largest prompt in bytes of UTF-8. */
  readonly maxPromptBytes: number
  readonly streams: StreamAnswers
}

const jobSchema = z
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
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    cancelAsked: z.boolean(),
    problem: z.string().nullable(),
    result: jobResultSchema.omit({ schemaVersion: true, job: true }).nullable(),
  })
  .meta({ id: 'Job' })
const wholeJobSchema = jobSchema.extend({ prompt: z.string() }).meta({ id: 'WholeJob' })
const label = z.string().max(64)
const newJob = z.strictObject({
  agent: z.string().max(100).optional().describe('The name or id of an agent; absent: any free one with the labels.'),
  labels: z.array(label).max(32).default([]).describe('What an agent must have to take the job, if none is named.'),
  prompt: z.string().min(1),
  continues: z.string().max(64).optional().describe('A job of the same agent that has ended: its conversation goes on.'),
})
const params = z.object({ job: z.string().max(64) })
const keyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, { error: 'must be 1 to 200 printable ASCII characters without spaces' })
    .optional()
    .describe('A second request with the same key gets the job of the first.'),
})

export function jobRoutes(app: App, { fleet, capabilities, maxPromptBytes, streams }: JobRoutes): void {
  const view = ({ agent: agentId, slot: _slot, adapter: _adapter, result, ...job }: Job): z.output<typeof jobSchema> => ({
    ...job,
    agentId,
    agent: agentId === null ? null : (fleet.agents.get(agentId)?.name ?? null),
    labels: [...job.labels],
    result,
  })
  const found = async (id: string): Promise<Job> => {
    const job = await fleet.queue.get(id)
    if (job === null) throw new PaddockError('NOT_FOUND', `There is no job ${id}.`, { hint: 'Run: paddock job list' })
    return job
  }
  const give = async (caller: Caller, wish: z.output<typeof newJob>, key: string | undefined): Promise<Job> => {
    refuseLargePrompt(wish.prompt, maxPromptBytes)
    const before = wish.continues === undefined ? null : continuable(await found(wish.continues))
    const named = wish.agent ?? before?.agent ?? null
    const agent = named === null ? null : fleet.agents.find(named)
    if (before !== null && before.agent !== agent?.id)
      throw new PaddockError('BAD_INPUT', `The job ${before.id} is of another agent, whose conversation it is.`, {
        hint: 'Leave agent out',
      })
    if (agent !== null) {
      if (agent.archivedAt !== null) throw new PaddockError('CONFLICT', `${agent.name} is archived.`)
      refuseOtherAdapter(before, agent)
      refuseWhatCannotBe(agent.manifest, await capabilities())
    }
    const { job } = await fleet.give({
      agent: agent?.id ?? null,
      labels: agent === null ? wish.labels : [],
      prompt: wish.prompt,
      requestedBy: caller.name,
      continues: before?.id ?? null,
      conversation: before?.conversation ?? null,
      idempotencyKey: key ?? null,
    })
    return job
  }
  // A character of a prompt takes up to six bytes as JSON.
  const bodyLimit = 6 * maxPromptBytes + 64 * 1024

  app.post(
    '/api/v1/jobs',
    {
      config: { role: 'operator' },
      bodyLimit,
      schema: {
        operationId: 'giveJob',
        summary: 'Gives a job to an agent, or to any free one with given labels.',
        headers: keyHeader,
        body: newJob,
        response: { 202: jobSchema },
      },
    },
    async (request, reply) => {
      const job = await give(callerOf(request), request.body, request.headers['idempotency-key'])
      return reply.code(202).header('location', `/api/v1/jobs/${job.id}`).send(view(job))
    },
  )
  app.get(
    '/api/v1/jobs',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'listJobs',
        summary: 'Jobs, newest first.',
        querystring: z.strictObject({
          ...listQuery,
          agent: z.string().max(100).optional().describe('Only those of this agent.'),
          state: z.enum(jobStates).optional().describe('Only those in this state.'),
        }),
        response: { 200: pageOf(jobSchema) },
      },
    },
    async ({ query }) => {
      const asOf = fleet.events.last
      const filter = {
        ...(query.agent === undefined ? {} : { agent: fleet.agents.find(query.agent).id }),
        ...(query.state === undefined ? {} : { state: query.state }),
      }
      const jobs = await fleet.queue.list(filter, { before: beforeOf(query.cursor), limit: query.limit })
      return { items: jobs.map(view), next: jobs.length < query.limit ? null : cursorAfter(String(jobs.at(-1)?.number)), asOf }
    },
  )
  app.get(
    '/api/v1/jobs/:job',
    {
      config: { role: 'viewer' },
      schema: { operationId: 'getJob', summary: 'One job, with its whole prompt.', params, response: { 200: wholeJobSchema } },
    },
    async ({ params }) => {
      const job = await found(params.job)
      return { ...view(job), prompt: await fleet.queue.prompt(job.id) }
    },
  )
  app.post(
    '/api/v1/jobs/:job/cancel',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'cancelJob',
        summary: 'Ends a job. One that runs has ended once its cell is gone.',
        params,
        response: { 202: jobSchema },
      },
    },
    async (request, reply) => {
      const job = await fleet.cancel(request.params.job)
      return reply.code(202).send(view(job))
    },
  )
  app.post(
    '/api/v1/jobs/:job/continue',
    {
      config: { role: 'operator' },
      bodyLimit,
      schema: {
        operationId: 'continueJob',
        summary: 'Gives a job that goes on in the conversation of one that has ended.',
        params,
        headers: keyHeader,
        body: newJob.pick({ prompt: true }),
        response: { 202: jobSchema },
      },
    },
    async (request, reply) => {
      const wish = { prompt: request.body.prompt, labels: [], continues: request.params.job }
      const job = await give(callerOf(request), wish, request.headers['idempotency-key'])
      return reply.code(202).header('location', `/api/v1/jobs/${job.id}`).send(view(job))
    },
  )
  app.get(
    '/api/v1/jobs/:job/events',
    {
      config: { role: 'viewer', stream: true },
      schema: {
        operationId: 'followJob',
        summary: 'Follows the transcript of a job as server-sent events, to its end.',
        params,
        querystring: streamQuery,
        headers: streamHeaders,
        response: { 200: { description: 'Events.', content: { 'text/event-stream': { schema: z.string() } } } },
      },
    },
    async (request, reply) => streams.events(request, reply, await transcriptSource(fleet, await found(request.params.job)), 0),
  )
}

function refuseLargePrompt(prompt: string, most: number): void {
  const bytes = Buffer.byteLength(prompt)
  if (bytes > most) throw new Refusal('TOO_LARGE', `The prompt has ${bytes} bytes; ${most} are the most.`)
}

/** The agent may have been edited since. */
function refuseOtherAdapter(before: Job | null, { name, manifest }: Agent): void {
  if (before === null || before.adapter === null || before.adapter === manifest.agent) return
  throw new PaddockError('CONFLICT', `The conversation was with ${before.adapter}, and ${name} is ${manifest.agent} now.`, {
    hint: 'Give a new job',
  })
}

/** A job whose conversation can go on. */
function continuable(job: Job): Job {
  if (job.endedAt === null) throw new PaddockError('CONFLICT', `The job ${job.id} has not ended.`, { hint: 'Wait for its end' })
  if (job.conversation === null)
    throw new PaddockError('CONFLICT', `The conversation of the job ${job.id} is not known, so it cannot be continued.`, {
      hint: 'Give a new job',
    })
  return job
}

function beforeOf(cursor: string | undefined): number | null {
  const key = keyOf(cursor)
  if (key === null) return null
  if (/^\d{1,15}$/.test(key)) return Number(key)
  throw new PaddockError('BAD_INPUT', 'query.cursor: this is not a cursor of this list.', { hint: 'Give `next` as it was' })
}
