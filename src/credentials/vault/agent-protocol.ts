import * as z from 'zod'
import { secretNamePattern } from './secret-name.ts'
import { maxSecretBytes, placeSchema } from './vault-schema.ts'

/** The maximum length of a line. In both directions, each line is a JSON object, with values in base64. */
export const maxLine = maxSecretBytes * 2
export const socketName = 'agent.sock'

const name = z.string().regex(secretNamePattern)

export const requestSchema = z.discriminatedUnion('ask', [
  z.strictObject({ ask: z.literal('status') }),
  z.strictObject({ ask: z.literal('list') }),
  z.strictObject({ ask: z.literal('entry'), name }),
  z.strictObject({ ask: z.literal('get'), name }),
  z.strictObject({
    ask: z.literal('set'),
    name,
    value: z.base64(),
    hosts: z.array(z.string().max(300)).max(64).optional(),
    place: placeSchema.optional(),
  }),
  z.strictObject({ ask: z.literal('remove'), name }),
  z.strictObject({ ask: z.literal('restore') }),
  z.strictObject({ ask: z.literal('lock') }),
])
export type AgentRequest = z.infer<typeof requestSchema>

const entry = z.object({
  name: z.string(),
  bytes: z.number(),
  hosts: z.array(z.string()),
  place: placeSchema.optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

/** The answers by kind of request. `failed` is an answer to any of them. */
export const answerSchemas = {
  status: z.object({ file: z.string(), kind: z.string(), until: z.number() }),
  list: z.object({ entries: z.array(entry) }),
  entry: z.object({ entry }),
  get: z.object({ entry, value: z.base64() }),
  set: z.object({ entry }),
  remove: z.object({}),
  restore: z.object({ restored: z.boolean() }),
  lock: z.object({}),
} as const

export const failureSchema = z.object({
  failed: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
})
