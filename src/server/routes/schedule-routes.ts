import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { CronTimes, fiveFields } from '../../fleet/schedules/cron.ts'
import { scheduledJob } from '../../fleet/schedules/schedule-runner.ts'
import { missedPolicies, overlapPolicies, type Schedule } from '../../fleet/store/schedule-store.ts'
import { callerOf } from '../access/caller.ts'
import type { App } from '../server-deps.ts'
import { type Giving, keyHeader } from './job-input.ts'
import { jobSchema, jobView } from './job-view-routes.ts'

const name = z.string().regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/, {
  error: 'must have 1 to 64 lower-case letters, digits, dots, hyphens or underscores, with a letter or digit at both ends',
})
const wishSchema = z.strictObject({
  name,
  agent: z.string().max(100).describe('The name or id of the agent that gets the jobs.'),
  cron: z
    .string()
    .max(200)
    .meta({ pattern: fiveFields.source })
    .describe('Five fields: minute, hour, day of the month, month, weekday; as in crontab(5).'),
  zone: z.string().min(1).max(64).meta({ pattern: '^[A-Za-z0-9+_:/-]+$' }).default('UTC').describe('A time zone from the IANA database.'),
  prompt: z.string().min(1),
  missed: z.enum(missedPolicies).default('once').describe('For times that passed while no server ran: one job for all of them, or none.'),
  overlap: z.enum(overlapPolicies).default('skip').describe('For a time when the previous job has not ended: no job, or one that waits.'),
})
export const scheduleSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    agent: z.string().describe('The name of the agent.'),
    agentId: z.string(),
    cron: z.string(),
    zone: z.string(),
    promptStart: z.string().describe('The first 200 characters of the prompt.'),
    missed: z.enum(missedPolicies),
    overlap: z.enum(overlapPolicies),
    paused: z.boolean(),
    next: z.array(z.string()).describe('The next five times; empty while it is paused.'),
    lastJob: z.string().nullable(),
    problem: z.string().nullable().describe('Why the last time created no job; null if it did.'),
    createdAt: z.string(),
  })
  .meta({ id: 'Schedule' })
export const wholeSchema = scheduleSchema.extend({ prompt: z.string() }).meta({ id: 'WholeSchedule' })
const params = z.object({ schedule: z.string().max(64).describe('Its name or id.') })

/** `/api/v1/schedules`: jobs that are given at set times. */
export function scheduleRoutes(app: App, { fleet, giving }: { readonly fleet: Fleet; readonly giving: Giving }): void {
  const { schedules } = fleet
  const view = ({ agent, dueAt, prompt, ...schedule }: Schedule): z.output<typeof scheduleSchema> => {
    const times = dueAt === null ? [] : [dueAt, ...new CronTimes(schedule.cron, schedule.zone).next(4, dueAt)]
    return {
      ...schedule,
      agent: fleet.agents.get(agent)?.name ?? agent,
      agentId: agent,
      promptStart: prompt.slice(0, 200),
      next: times.map((each) => new Date(each).toISOString()),
    }
  }
  const wished = (wish: z.output<typeof wishSchema>) => {
    giving.refuseLarge(wish.prompt)
    const agent = fleet.agents.find(wish.agent)
    if (agent.archivedAt !== null) throw new PaddockError('CONFLICT', `${agent.name} is archived.`)
    return { ...wish, agent: agent.id }
  }
  app.get(
    '/api/v1/schedules',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'listSchedules',
        summary: 'Lists schedules by name; there are at most 200.',
        response: { 200: z.object({ items: z.array(scheduleSchema) }) },
      },
    },
    () => ({ items: schedules.list().map(view) }),
  )
  app.post(
    '/api/v1/schedules',
    {
      config: { role: 'operator' },
      bodyLimit: giving.bodyLimit,
      schema: {
        operationId: 'createSchedule',
        summary: 'Gives an agent jobs at the times of a cron pattern.',
        body: wishSchema,
        response: { 201: scheduleSchema },
      },
    },
    async ({ body }, reply) => reply.code(201).send(view(schedules.create(wished(body)))),
  )
  app.get(
    '/api/v1/schedules/:schedule',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getSchedule',
        summary: 'Returns one schedule, and its next five times.',
        params,
        response: { 200: wholeSchema },
      },
    },
    ({ params }) => {
      const schedule = schedules.find(params.schedule)
      return { ...view(schedule), prompt: schedule.prompt }
    },
  )
  app.put(
    '/api/v1/schedules/:schedule',
    {
      config: { role: 'operator' },
      bodyLimit: giving.bodyLimit,
      schema: { operationId: 'editSchedule', summary: 'Replaces a schedule.', params, body: wishSchema, response: { 200: scheduleSchema } },
    },
    ({ params, body }) => view(schedules.edit(schedules.find(params.schedule).id, wished(body))),
  )
  for (const [act, operationId, summary] of [
    ['pause', 'pauseSchedule', 'No more jobs until it is resumed; times until then have none.'],
    ['resume', 'resumeSchedule', 'Continues with its next time.'],
  ] as const)
    app.post(
      `/api/v1/schedules/:schedule/${act}`,
      { config: { role: 'operator' }, schema: { operationId, summary, params, response: { 200: scheduleSchema } } },
      ({ params }) => view(schedules.pause(schedules.find(params.schedule).id, act === 'pause')),
    )
  app.post(
    '/api/v1/schedules/:schedule/run',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'runSchedule',
        summary: 'Gives its job now, regardless of its times and its last job.',
        params,
        headers: keyHeader,
        response: { 202: jobSchema },
      },
    },
    async (request, reply) => {
      const schedule = schedules.find(request.params.schedule)
      const { job } = fleet.give(scheduledJob(schedule, request.headers['idempotency-key'] ?? null), { sender: callerOf(request) })
      return reply
        .code(202)
        .header('location', `/api/v1/jobs/${job.id}`)
        .send(jobView(job, fleet.agents, callerOf(request)))
    },
  )
  app.delete(
    '/api/v1/schedules/:schedule',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'deleteSchedule',
        summary: 'Deletes a schedule. Its jobs are kept.',
        params,
        response: { 204: z.undefined() },
      },
    },
    async ({ params }, reply) => {
      schedules.remove(schedules.find(params.schedule).id)
      return reply.code(204).send()
    },
  )
}
