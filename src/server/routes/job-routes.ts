import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { budgetGiven } from '../../fleet/budgets/job-budget.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { jobStates } from '../../fleet/jobs/job.ts'
import type { Job } from '../../fleet/store/job-records.ts'
import { type Caller, callerOf, leaseOf } from '../access/caller.ts'
import type { App } from '../server-deps.ts'
import { streamOf, transcriptEventSchema } from '../streams/event-schemas.ts'
import { type StreamAnswers, streamHeaders, streamQuery } from '../streams/stream-answer.ts'
import { transcriptSource } from '../streams/transcript-source.ts'
import { type Giving, jobParams, keyHeader, newJob } from './job-input.ts'
import { jobSchema, jobView, listedJobView, wholeJobSchema } from './job-view-routes.ts'
import { cursorAfter, keyOf, listQuery, pageOf } from './lists.ts'
import { pageText } from './page-text-routes.ts'

export interface JobRoutes {
  readonly fleet: Fleet
  readonly giving: Giving
  readonly streams: StreamAnswers
}

export function jobRoutes(app: App, { fleet, giving, streams }: JobRoutes): void {
  const { give, found, bodyLimit } = giving
  const view = (job: Job, caller: Caller) => jobView(job, fleet.agents, caller)

  app.post(
    '/api/v1/jobs',
    {
      config: { role: ['operator', 'borrower'] },
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
      return reply
        .code(202)
        .header('location', `/api/v1/jobs/${job.id}`)
        .send(view(job, callerOf(request)))
    },
  )
  app.get(
    '/api/v1/jobs',
    {
      config: { role: ['viewer', 'borrower'] },
      schema: {
        operationId: 'listJobs',
        summary: 'Lists jobs, newest first; for a borrower those of the lease.',
        querystring: z.strictObject({
          ...listQuery,
          agent: z.string().max(100).optional().describe('Only jobs of this agent.'),
          lease: z.string().max(64).optional().describe('Only jobs of this lease, by its name or id.'),
          state: z.enum(jobStates).optional().describe('Only jobs in this state.'),
          text: z
            .string()
            .min(1)
            .max(200)
            .optional()
            .describe('Only jobs with this text in the first 200 characters of their prompt, ignoring the case of ASCII letters.'),
        }),
        response: { 200: pageOf(jobSchema) },
      },
      serializerCompiler: pageText(jobSchema),
    },
    async (request) => {
      const asOf = fleet.events.last
      const { query } = request
      const [caller, own] = [callerOf(request), leaseOf(callerOf(request))]
      const agent = (name: string) => (own === null ? fleet.agents.find(name) : giving.lentAgent(own, name)).id
      const lease = own ?? (query.lease === undefined ? null : fleet.leases.find(query.lease).id)
      const filter = {
        ...(query.agent === undefined ? {} : { agent: agent(query.agent) }),
        ...(lease === null ? {} : { lease }),
        ...(query.state === undefined ? {} : { state: query.state }),
        ...(query.text === undefined ? {} : { text: query.text }),
      }
      const jobs = fleet.jobs.list(filter, { before: beforeOf(query.cursor), limit: query.limit })
      return {
        items: jobs.map((each) => listedJobView(each, fleet.agents, caller)),
        next: jobs.length < query.limit ? null : cursorAfter(String(jobs.at(-1)?.number)),
        asOf,
      }
    },
  )
  app.get(
    '/api/v1/jobs/:job',
    {
      config: { role: ['viewer', 'borrower'] },
      schema: {
        operationId: 'getJob',
        summary: 'Returns one job, with its whole prompt.',
        params: jobParams,
        response: { 200: wholeJobSchema },
      },
    },
    async (request) => {
      const job = await found(callerOf(request), request.params.job)
      const { jobs } = fleet
      const [prompt, limits] = [jobs.prompt(job.id), jobs.limits(job.id)]
      return { ...view(job, callerOf(request)), prompt, budget: budgetGiven(limits) }
    },
  )
  app.post(
    '/api/v1/jobs/:job/cancel',
    {
      config: { role: ['operator', 'borrower'] },
      schema: {
        operationId: 'cancelJob',
        summary: 'Ends a job. A running job has ended once its cell is gone.',
        params: jobParams,
        response: { 202: jobSchema },
      },
    },
    async (request, reply) => {
      const { id } = await found(callerOf(request), request.params.job)
      const job = fleet.cancel(id)
      return reply.code(202).send(view(job, callerOf(request)))
    },
  )
  app.post(
    '/api/v1/jobs/:job/continue',
    {
      config: { role: 'operator' },
      bodyLimit,
      schema: {
        operationId: 'continueJob',
        summary: 'Queues a job that continues the conversation of one that has ended.',
        params: jobParams,
        headers: keyHeader,
        body: newJob.pick({ prompt: true }),
        response: { 202: jobSchema },
      },
    },
    async (request, reply) => {
      const wish = { prompt: request.body.prompt, labels: [], continues: request.params.job }
      const job = await give(callerOf(request), wish, request.headers['idempotency-key'])
      return reply
        .code(202)
        .header('location', `/api/v1/jobs/${job.id}`)
        .send(view(job, callerOf(request)))
    },
  )
  app.get(
    '/api/v1/jobs/:job/events',
    {
      config: { role: ['viewer', 'borrower'], stream: true },
      schema: {
        operationId: 'followJob',
        summary: 'Follows the transcript of a job until it ends, as server-sent events.',
        params: jobParams,
        querystring: streamQuery,
        headers: streamHeaders,
        response: { 200: streamOf(transcriptEventSchema) },
      },
    },
    async (request, reply) =>
      streams.events(request, reply, await transcriptSource(fleet, await found(callerOf(request), request.params.job)), 0),
  )
}

function beforeOf(cursor: string | undefined): number | null {
  const key = keyOf(cursor)
  if (key === null) return null
  if (/^\d{1,15}$/.test(key)) return Number(key)
  throw new PaddockError('BAD_INPUT', 'query.cursor: this is not a cursor of this list.', {
    hint: 'Pass `next` of the page before unchanged',
  })
}
