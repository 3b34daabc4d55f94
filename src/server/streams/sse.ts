import type { FastifyReply } from 'fastify'
import type { OpenStream } from '../access/open-streams.ts'
import type { Numbered } from './numbered.ts'
import { type Encoding, pump, type StreamLimits } from './pump.ts'

export interface Following<T> {
  readonly source: Numbered<T>
  /** The number of the last item that the reader has received. */
  readonly after: number
  readonly stream: OpenStream
  /** Called at each heartbeat; false ends the stream. */
  readonly isGood: () => boolean
  readonly limits: StreamLimits
}

/**
 * Answers with server-sent events. Items are `message` events with their number as `id`. The other events are `heartbeat`, whose id is
 * the position of the stream; `reset`, if the reader missed items and has to reload its lists; and, as the last one, `slow`, `ended`,
 * `credential` or `stopping`. Resolves when the stream is over.
 */
export async function sendEvents<T>(reply: FastifyReply, following: Following<T>): Promise<void> {
  const { source, stream, limits } = following
  const { raw } = reply
  void reply
    .header('content-type', 'text/event-stream')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .header('connection', 'close')
  void reply.hijack()
  // The close event does not fire again.
  if (raw.destroyed) return
  raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  const over = new AbortController()
  raw.once('close', () => over.abort('closed'))
  raw.on('error', () => over.abort('closed'))
  const signal = AbortSignal.any([stream.signal, over.signal])
  const end = await pump({
    source,
    after: following.after,
    encoding: encodingOf(source),
    // Without a socket, data is never accepted and never waits.
    send: (data, taken) => void raw.write(data, () => taken()),
    signal,
    limits,
    onBeat: () => !following.isGood() && over.abort('credential'),
  })
  const why = end === 'aborted' ? String(signal.reason) : end
  if (why === 'closed') return
  raw.end(`event: ${why}\ndata: {}\n\n`)
  const linger = setTimeout(() => raw.destroy(), limits.lingerMs)
  raw.once('close', () => clearTimeout(linger))
}

function encodingOf<T>(source: Numbered<T>): Encoding<T> {
  const event = (name: string, id: number, data: unknown): string => `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
  return {
    *items(items) {
      for (const item of items) yield { data: `id: ${source.numberOf(item)}\ndata: ${JSON.stringify(item)}\n\n`, items: 1 }
    },
    reset: ({ first, last, position }) => event('reset', position, { first, last }),
    heartbeat: ({ last, position }) => event('heartbeat', position, { last }),
  }
}
