import * as z from 'zod'
import { snowflake } from './snowflake.ts'

const interval = z.int().min(1_000).max(3_600_000)
/** Frames of the gateway, by their opcodes: dispatch, heartbeat, reconnect, invalid session, hello, heartbeat acknowledged. */
const frameSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal(0), t: z.string().max(100), s: z.int().min(0), d: z.unknown() }),
  z.object({ op: z.literal(1), d: z.unknown() }),
  z.object({ op: z.literal(7), d: z.unknown() }),
  z.object({ op: z.literal(9), d: z.boolean() }),
  z.object({ op: z.literal(10), d: z.object({ heartbeat_interval: interval }) }),
  z.object({ op: z.literal(11), d: z.unknown() }),
])
export type Frame = z.output<typeof frameSchema>

/** The session in a `READY` event. */
export const readySchema = z.object({
  session_id: z.string().min(1).max(200),
  resume_gateway_url: z.string().max(500),
  user: z.object({ id: snowflake, username: z.string().max(200) }),
})

/** The longest frame that is read, in characters; frames with messages have a few thousand. */
const longestFrame = 4 * 1024 * 1024

/** Returns a frame of the gateway, or null if the text is not one. */
export function frameOf(text: unknown): Frame | null {
  if (typeof text !== 'string' || text.length > longestFrame) return null
  try {
    const frame = frameSchema.parse(JSON.parse(text))
    return frame.op === 0 && frame.t === 'READY' && !readySchema.safeParse(frame.d).success ? null : frame
  } catch {
    return null
  }
}
