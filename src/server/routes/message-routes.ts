import type { Fleet } from '../../fleet/fleet.ts'
import { callerOf } from '../access/caller.ts'
import type { App } from '../server-deps.ts'
import { type Giving, jobParams, keyHeader, newJob } from './job-input.ts'
import { jobSchema, jobView } from './job-view-routes.ts'

/** Adds the routes for messages to jobs that have not ended. */
export function messageRoutes(app: App, { fleet, giving }: { readonly fleet: Fleet; readonly giving: Giving }): void {
  app.post(
    '/api/v1/jobs/:job/messages',
    {
      config: { role: ['operator', 'borrower'] },
      bodyLimit: giving.bodyLimit,
      schema: {
        operationId: 'sendMessage',
        summary: 'Queues a job that continues the conversation of another one, after that job and earlier messages to it have ended.',
        params: jobParams,
        headers: keyHeader,
        body: newJob.pick({ prompt: true }),
        response: { 202: jobSchema },
      },
    },
    async (request, reply) => {
      const job = await giving.message(callerOf(request), request.params.job, request.body.prompt, request.headers['idempotency-key'])
      return reply
        .code(202)
        .header('location', `/api/v1/jobs/${job.id}`)
        .send(jobView(job, fleet.agents, callerOf(request)))
    },
  )
  app.patch(
    '/api/v1/jobs/:job',
    {
      config: { role: 'operator' },
      bodyLimit: giving.bodyLimit,
      schema: {
        operationId: 'changeJob',
        summary: 'Replaces the prompt of a job or message that has not started. To withdraw one, cancel it.',
        params: jobParams,
        body: newJob.pick({ prompt: true }),
        response: { 200: jobSchema },
      },
    },
    async (request) =>
      jobView(await giving.change(callerOf(request), request.params.job, request.body.prompt), fleet.agents, callerOf(request)),
  )
  app.post(
    '/api/v1/jobs/:job/send-now',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'sendNow',
        summary: 'Ends the job that a message waits for, so that messages to it start now, in their order.',
        params: jobParams,
        response: { 202: jobSchema },
      },
    },
    async (request, reply) => {
      const job = fleet.sendNow(request.params.job)
      return reply.code(202).send(jobView(job, fleet.agents, callerOf(request)))
    },
  )
}
