import * as z from 'zod'
import { messageOf, PaddockError } from '../../base/errors.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { isSigned, windowSeconds } from '../../fleet/hooks/signature.ts'
import { quotedData } from '../../fleet/jobs/quoted-data.ts'
import type { Hook } from '../../fleet/store/hook-store.ts'
import { pausedText } from '../../fleet/store/pause-store.ts'
import { Refusal } from '../problem.ts'
import type { App } from '../server-deps.ts'
import type { Giving } from './job-input.ts'

export const hookSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    agent: z.string().describe('The name of the agent.'),
    agentId: z.string(),
    prompt: z.string(),
    createdAt: z.string(),
    lastJob: z.string().nullable(),
    problem: z.string().nullable().describe('Why the last delivery created no job; null if it did.'),
    path: z.string().describe('Where deliveries go, on this server.'),
  })
  .meta({ id: 'Hook' })
const params = z.object({ hook: z.string().max(64).describe('Its name or id.') })

export interface HookRoutes {
  readonly fleet: Fleet
  readonly giving: Giving
}

/** Seconds after which a sender may try again while the fleet is paused. */
const retrySeconds = 300

/** `/api/v1/hooks`: lets other programs give jobs. */
export function hookRoutes(app: App, { fleet, giving }: HookRoutes): void {
  const { hooks } = fleet
  const view = ({ agent, ...hook }: Hook): z.output<typeof hookSchema> => ({
    ...hook,
    agent: fleet.agents.get(agent)?.name ?? agent,
    agentId: agent,
    path: `/api/v1/hooks/${hook.id}/deliver`,
  })
  app.get(
    '/api/v1/hooks',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'listHooks',
        summary: 'Lists hooks by name, without their secrets; there are at most 200.',
        response: { 200: z.object({ items: z.array(hookSchema) }) },
      },
    },
    () => ({ items: hooks.list().map(view) }),
  )
  app.post(
    '/api/v1/hooks',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'createHook',
        summary: 'Creates an address at which another program gives an agent jobs. Its secret is shown once.',
        body: z.strictObject({
          name: z
            .string()
            .regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/, { error: 'must be a name of lower-case letters, digits, . _ -' }),
          agent: z.string().max(100),
          prompt: z.string().min(1).max(16_384).describe('What the agent should do with each delivery.'),
        }),
        response: { 201: hookSchema.extend({ secret: z.string() }) },
      },
    },
    async ({ body }, reply) => {
      const agent = fleet.agents.find(body.agent)
      if (agent.archivedAt !== null) throw new PaddockError('CONFLICT', `${agent.name} is archived.`)
      const { hook, secret } = hooks.create({ ...body, agent: agent.id })
      return reply.code(201).send({ ...view(hook), secret })
    },
  )
  app.delete(
    '/api/v1/hooks/:hook',
    {
      config: { role: 'operator' },
      schema: { operationId: 'deleteHook', summary: 'Deletes a hook. Its jobs are kept.', params, response: { 204: z.undefined() } },
    },
    async ({ params }, reply) => {
      hooks.remove(hooks.find(params.hook).id)
      return reply.code(204).send()
    },
  )
  app.register(async (scope) => {
    // The signature covers the bytes as they arrived.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 64 * 1024 }, (_request, body, parsed) => parsed(null, body))
    const route = scope as unknown as App
    route.post(
      '/api/v1/hooks/:hook/deliver',
      {
        config: { role: 'public' },
        bodyLimit: 64 * 1024,
        schema: {
          operationId: 'deliverToHook',
          summary:
            'Gives the agent of a hook a job. The body, any text up to 64 KiB, reaches it as quoted data. A repeated delivery returns the same job. While the fleet is paused, the answer is 503 with `Retry-After`.',
          params,
          headers: z.looseObject({
            'x-paddock-time': z.string().max(12).optional().describe(`Seconds since the epoch, at most ${windowSeconds} away.`),
            'x-paddock-signature': z
              .string()
              .max(128)
              .optional()
              .describe('HMAC-SHA-256 in hexadecimal, with the secret as key, over the time, a dot and the body.'),
          }),
          response: { 202: z.object({ job: z.string() }) },
        },
      },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const { 'x-paddock-time': time = '', 'x-paddock-signature': signature = '' } = request.headers
        const { hook: id } = request.params
        const secret = hooks.secret(id)
        // Do not reveal which part was wrong.
        if (secret === null || !isSigned(secret, { time, signature, body }, Date.now()))
          throw new Refusal('UNAUTHENTICATED', 'There is no such hook, the signature is wrong, or its time is not now.', {
            hint: 'paddock hook create prints how a delivery is signed',
          })
        const hook = hooks.find(id)
        if (fleet.paused() !== null) {
          hooks.refused(hook.id, pausedText)
          throw new Refusal('BUSY', 'The fleet is paused.', { headers: { 'retry-after': String(retrySeconds) } })
        }
        const prompt = `${hook.prompt}\n\n${quotedData('another program', body.toString('utf8'))}`
        giving.refuseLarge(prompt)
        if (fleet.agents.find(hook.agent).archivedAt !== null) throw new PaddockError('CONFLICT', 'The agent of this hook is archived.')
        // A signed delivery is one job, even if it arrives more than once.
        const wish = {
          ...{ agent: hook.agent, labels: [], prompt, requestedBy: `hook ${hook.name}` },
          ...{ continues: null, conversation: null, idempotencyKey: `${hook.id} ${signature}` },
        }
        try {
          const { job } = fleet.give(wish, { text: body.toString('utf8') })
          hooks.used(hook.id, job.id)
          return reply.code(202).send({ job: job.id })
        } catch (error) {
          hooks.refused(hook.id, messageOf(error))
          throw error
        }
      },
    )
  })
}
