import type { AgentParser } from '../adapter.ts'
import type { AgentEvent } from './agent-events.ts'
import { clip } from './output-lines.ts'

/** The maximum number of bytes in a line. A longer one is cut and reported as `unknown`. */
export const longestLine = 16 * 1024 * 1024

export interface Line {
  readonly text: string
  /** True: the line was longer than the limit, and `text` is only its start. */
  readonly cut: boolean
}

/**
 * Splits bytes into lines at LF (a CR before it is dropped), decoded as UTF-8 with U+FFFD for invalid bytes. A last line
 * without a newline counts. Buffers at most `limit` bytes of one line. If the stream fails, the lines end without an error.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array | string>, limit: number = longestLine): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let held = 0
  let cut = false
  const keep = (bytes: Buffer): void => {
    const room = Math.min(bytes.length, limit - held)
    if (room < bytes.length) cut = true
    if (room > 0) parts.push(bytes.subarray(0, room))
    held += Math.max(room, 0)
  }
  const take = (): Line => {
    const text = Buffer.concat(parts).toString('utf8')
    const line = { text: text.endsWith('\r') ? text.slice(0, -1) : text, cut }
    parts = []
    held = 0
    cut = false
    return line
  }
  try {
    for await (const chunk of chunks) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      let start = 0
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        keep(bytes.subarray(start, end))
        start = end + 1
        yield take()
      }
      keep(bytes.subarray(start))
    }
  } catch {
    // The program is gone, but its earlier output stays valid.
  }
  if (held > 0 || cut) yield take()
}

/**
 * Yields the events of one headless run: first the events of its standard output as they come (with back-pressure), then those of its end.
 * `ended` resolves to the exit code (null: ended by a signal) and the newest part of standard error.
 */
export async function* transcript(
  stdout: AsyncIterable<Uint8Array | string>,
  parser: AgentParser,
  ended: Promise<{ readonly code: number | null; readonly stderr: string }>,
): AsyncGenerator<AgentEvent> {
  for await (const { text, cut } of linesOf(stdout)) {
    if (cut) yield { type: 'unknown', line: clip(text) }
    else yield* parser.line(text).map(withRealTime)
  }
  yield* parser.end(await ended).map(withRealTime)
}

/** Drops an impossible time (ECMA-262, 21.4.1.1), which comes from the model's endpoint or from the author of such a line. */
function withRealTime(event: AgentEvent): AgentEvent {
  if (event.type !== 'rate-limit' || event.resetsAt === null || !Number.isNaN(new Date(event.resetsAt).getTime())) return event
  return { ...event, resetsAt: null }
}
