import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Layout } from '../config/contest-layout.ts'
import { type EventLine, eventSchema } from './event-line.ts'

/** The maximum number of bytes of events.jsonl that one call reads. */
const mostBytes = 1024 * 1024

export interface EventsRead {
  /** The events, oldest first. */
  readonly events: readonly EventLine[]
  /** The offset in events.jsonl at which the next read continues. */
  readonly cursor: number
}

/**
 * Returns the events of a contest after a cursor, at most `limit` of them. Without a cursor, it starts with the first. A line that is still
 * incomplete is returned by a later call. Lines that this version does not know are skipped. A cursor after the end of the file, which was
 * then replaced, starts again from the first event.
 */
export async function readEvents(layout: Layout, { after = 0, limit = 200 }: { after?: number; limit?: number } = {}): Promise<EventsRead> {
  const handle = await open(layout.events, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(missing)
  if (handle === null) return { events: [], cursor: 0 }
  try {
    const { size } = await handle.stat()
    const from = after > size ? 0 : after
    const buffer = Buffer.alloc(Math.min(mostBytes, size - from))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from)
    return linesIn(buffer.subarray(0, bytesRead), from, limit)
  } finally {
    await handle.close()
  }
}

function linesIn(bytes: Buffer, from: number, limit: number): EventsRead {
  const events: EventLine[] = []
  let at = 0
  for (let end = bytes.indexOf(10); end >= 0 && events.length < limit; end = bytes.indexOf(10, at)) {
    const event = eventIn(bytes.toString('utf8', at, end))
    if (event !== null) events.push(event)
    at = end + 1
  }
  // No event is that long, so the bytes are skipped.
  if (at === 0 && bytes.length === mostBytes) at = bytes.length
  return { events, cursor: from + at }
}

function eventIn(line: string): EventLine | null {
  try {
    return eventSchema.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
