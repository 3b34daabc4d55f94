import * as z from 'zod'
import { channelSchema, statusSchema } from '../../../server/routes/discord-routes.ts'
import { outcomeSchema, webhookSchema, wholeSchema } from '../../../server/routes/webhook-routes.ts'

const removed = z.strictObject({ removed: z.string() })

export const webhookResults = {
  'webhook add': webhookSchema.extend({ secret: z.string() }),
  'webhook list': z.strictObject({ items: z.array(webhookSchema) }),
  'webhook show': wholeSchema,
  'webhook pause': webhookSchema,
  'webhook resume': webhookSchema,
  'webhook test': outcomeSchema.pick({ status: true, problem: true }),
  'webhook remove': removed,
  'discord connect': statusSchema,
  'discord status': statusSchema,
  'discord channels': z.strictObject({ items: z.array(channelSchema) }),
  'discord add': channelSchema,
  'discord remove': z.union([removed, channelSchema]),
  'discord disconnect': z.strictObject({ disconnected: z.literal(true) }),
}
