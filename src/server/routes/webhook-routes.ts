import * as z from 'zod'
import type { Fleet } from '../../fleet/fleet.ts'
import { hostOnly } from '../../fleet/manifest/without-values.ts'
import { eventKinds } from '../../fleet/store/fleet-event-kinds.ts'
import type { Role } from '../../fleet/store/token-store.ts'
import { outcomeStates } from '../../fleet/store/webhook-outcomes.ts'
import type { Webhook } from '../../fleet/store/webhook-store.ts'
import { receiverUrl } from '../../fleet/webhooks/webhook-address.ts'
import { callerOf } from '../access/caller.ts'
import type { App } from '../server-deps.ts'

const kinds = z.array(z.enum(eventKinds)).min(1).max(eventKinds.length)
export const outcomeSchema = z.object({
  event: z.int().describe('The id of the event; for skipped events, of the last one.'),
  kind: z.string().nullable(),
  at: z.string().describe('The time of the last attempt.'),
  state: z
    .enum(outcomeStates)
    .describe('waiting: will be tried again · given-up: will not · skipped: the events were deleted before they were sent.'),
  attempts: z.int(),
  status: z.int().nullable().describe('The HTTP status of the last answer; null if there was none.'),
  problem: z.string().nullable().describe('Why it was not accepted; null if it was.'),
  nextAt: z.string().nullable().describe('When it will be tried again.'),
})
export const webhookSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string().describe('Only owners see the path, because many receivers use it to authenticate senders.'),
    events: z.array(z.string()),
    paused: z.boolean(),
    createdAt: z.string(),
    last: outcomeSchema.nullable().describe('The newest outcome; null if nothing has been sent yet.'),
  })
  .meta({ id: 'Webhook' })
export const wholeSchema = webhookSchema.extend({ outcomes: z.array(outcomeSchema).describe('The newest 50, newest first.') })
const params = z.object({ webhook: z.string().max(64).describe('Its name or id.') })

/** `/api/v1/webhooks`: events for other programs. */
export function webhookRoutes(app: App, fleet: Fleet): void {
  const { webhooks } = fleet
  const view = ({ id, name, url, kinds, paused, createdAt }: Webhook, role: Role): z.output<typeof webhookSchema> => ({
    ...{ id, name, url: role === 'owner' ? url : hostOnly(url), events: [...kinds], paused, createdAt },
    last: webhooks.outcomes(id)[0] ?? null,
  })
  app.get(
    '/api/v1/webhooks',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'listWebhooks',
        summary: 'Lists webhooks by name, without their secrets; there are at most 50.',
        response: { 200: z.object({ items: z.array(webhookSchema) }) },
      },
    },
    (request) => ({ items: webhooks.list().map((each) => view(each, callerOf(request).role)) }),
  )
  app.post(
    '/api/v1/webhooks',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'createWebhook',
        summary: 'Sends events to a URL from now on, signed like deliveries to hooks. The secret is shown once.',
        body: z.strictObject({
          name: z
            .string()
            .regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/, { error: 'must be a name of lower-case letters, digits, . _ -' }),
          url: z
            .string()
            .min(1)
            .max(2048)
            .meta({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:' })
            .describe('https or http, at a public address.'),
          events: kinds.default(['job.ended', 'job.waiting', 'job.budget']).describe('The kinds of events that are sent.'),
          secret: z
            .string()
            .regex(/^[\x21-\x7e]{32,200}$/, { error: 'must have 32 to 200 printable ASCII characters' })
            .nullable()
            .default(null)
            .describe('The secret that signs deliveries, for example that of a hook; null for a new one.'),
        }),
        response: { 201: webhookSchema.extend({ secret: z.string() }) },
      },
    },
    async (request, reply) => {
      const { events, url, ...wish } = request.body
      const { webhook, secret } = webhooks.create({ ...wish, url: receiverUrl(url), kinds: [...new Set(events)] })
      return reply.code(201).send({ ...view(webhook, callerOf(request).role), secret })
    },
  )
  app.get(
    '/api/v1/webhooks/:webhook',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getWebhook',
        summary: 'Returns one webhook, and the outcomes of its events.',
        params,
        response: { 200: wholeSchema },
      },
    },
    (request) => {
      const webhook = webhooks.find(request.params.webhook)
      return { ...view(webhook, callerOf(request).role), outcomes: [...webhooks.outcomes(webhook.id)] }
    },
  )
  for (const [act, operationId, summary] of [
    ['pause', 'pauseWebhook', 'Sends no more events until it is resumed; those until then are not sent.'],
    ['resume', 'resumeWebhook', 'Sends events again, from now on.'],
  ] as const)
    app.post(
      `/api/v1/webhooks/:webhook/${act}`,
      { config: { role: 'owner' }, schema: { operationId, summary, params, response: { 200: webhookSchema } } },
      (request) => {
        const webhook = webhooks.pause(webhooks.find(request.params.webhook).id, act === 'pause')
        return view(webhook, callerOf(request).role)
      },
    )
  app.post(
    '/api/v1/webhooks/:webhook/test',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'testWebhook',
        summary: 'Sends a webhook.test event now and returns the outcome. If it is accepted, waiting events are tried again at once.',
        params,
        response: { 200: outcomeSchema.pick({ status: true, problem: true }) },
      },
    },
    ({ params }) => fleet.testWebhook(webhooks.find(params.webhook)),
  )
  app.delete(
    '/api/v1/webhooks/:webhook',
    {
      config: { role: 'owner' },
      schema: { operationId: 'deleteWebhook', summary: 'Deletes a webhook with its outcomes.', params, response: { 204: z.undefined() } },
    },
    async ({ params }, reply) => {
      webhooks.remove(webhooks.find(params.webhook).id)
      return reply.code(204).send()
    },
  )
}
