import * as z from 'zod'
import { eventKinds } from '../../fleet/store/fleet-event-kinds.ts'

const at = z.string().describe('A time in ISO 8601.')

/** One event of the fleet's log. */
export const fleetEventSchema = z
  .object({
    id: z.int(),
    at,
    kind: z.enum(eventKinds),
    agent: z.string().nullable().describe('The id of the agent.'),
    job: z.string().nullable(),
    data: z.record(z.string(), z.unknown()).describe('Facts of the kind, such as the name of the agent or the state of the job.'),
  })
  .meta({ id: 'FleetEvent' })

/** One event of a transcript. */
export const transcriptEventSchema = z
  .looseObject({
    n: z.int().describe('Counts from 1.'),
    at,
    type: z
      .string()
      .describe(
        'text (text) · reasoning (text) · tool-call (id, name, input) · tool-result (id, ok, text) · usage (usage, the total so far) · cost (usd) · conversation (id) · rate-limit (message, resetsAt, final) · login-needed (message) · error (message) · result (ok, text) · unknown (line) · truncated (message). Later versions may add others.',
      ),
  })
  .meta({ id: 'TranscriptEvent' })

const position = z.int().describe('The position to continue after.')
const heartbeat = z
  .object({ event: z.literal('heartbeat'), id: position, data: z.object({ last: z.int().describe('The newest item.') }) })
  .meta({ id: 'StreamHeartbeat', description: 'Nothing is lost. It is sent every 10 seconds.' })
const reset = z.object({ event: z.literal('reset'), id: position, data: z.object({ first: z.int(), last: z.int() }) }).meta({
  id: 'StreamReset',
  description: 'Items after the requested position are no longer stored, or it is in the future. Reload lists.',
})
const end = z.object({ event: z.enum(['ended', 'slow', 'credential', 'stopping']), data: z.object({}) }).meta({
  id: 'StreamEnd',
  description:
    'The last event. ended: nothing will follow · slow: the reader was too slow and may resume · credential: it is no longer valid · stopping: the server stops, and the reader may resume.',
})

/** Returns the response schema of a stream of server-sent events. `item`: the data of its `message` events. */
export function streamOf(item: z.ZodType) {
  const message = z.object({ event: z.literal('message').optional(), id: position, data: item })
  const schema = z
    .union([message, heartbeat, reset, end])
    .describe('One event of the stream. `data` is JSON. An item has no `event` line, so its type is `message`.')
  return { description: 'Server-sent events.', content: { 'text/event-stream': { schema } } }
}
