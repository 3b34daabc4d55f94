import * as z from 'zod'
import type { AgentEvent } from './agent-events.ts'

const reported = { from: z.literal('standard error').exactOptional().describe('Absent for events on standard output.') }
const usage = z.strictObject({
  input: z.number().describe("Tokens that the model read, including those from the vendor's cache."),
  output: z.number().describe('Tokens that the model wrote, including its reasoning.'),
  cachedInput: z.number().describe("Input tokens from the vendor's cache."),
  model: z.string().nullable(),
})

/** The zod schemas of `AgentEvent`, one for each type of event. */
export const eventSchemas = [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('reasoning'), text: z.string() }),
  z.strictObject({ type: z.literal('conversation'), id: z.string() }),
  z.strictObject({ type: z.literal('tool-call'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.strictObject({ type: z.literal('tool-result'), id: z.string(), ok: z.boolean(), text: z.string() }),
  z.strictObject({
    type: z.literal('usage'),
    usage,
    isLowerBound: z.literal(true).exactOptional().describe('A later event has the number of output tokens.'),
  }),
  z.strictObject({ type: z.literal('cost'), usd: z.number() }),
  z.strictObject({
    type: z.literal('rate-limit'),
    message: z.string(),
    resetsAt: z.number().nullable().describe('Milliseconds since the epoch.'),
    final: z.boolean(),
    ...reported,
  }),
  z.strictObject({ type: z.literal('login-needed'), message: z.string(), ...reported }),
  z.strictObject({ type: z.literal('result'), ok: z.boolean(), text: z.string() }),
  z.strictObject({ type: z.literal('error'), message: z.string(), endpoint: z.literal(true).exactOptional(), ...reported }),
  z.strictObject({ type: z.literal('unknown'), line: z.string() }),
] as const satisfies readonly z.ZodType<AgentEvent>[]
