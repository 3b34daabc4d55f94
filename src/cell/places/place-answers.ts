import type { ServerHttp2Stream } from 'node:http2'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { messageOf } from '../../base/errors.ts'
import { cutStream } from './place-link.ts'

/** Ends a stream with a status and nothing else. */
export function refuse(stream: ServerHttp2Stream, status: number): void {
  if (!stream.destroyed && !stream.closed) stream.respond({ ':status': status }, { endStream: true })
}

/** Answers with what an operation returns, as JSON. If it fails, the answer has the status 500 and the message. */
export async function answer(stream: ServerHttp2Stream, work: () => Promise<unknown>): Promise<void> {
  const { status, said } = await work().then(
    (value) => ({ status: 200, said: { value: value ?? null } }),
    (error) => ({ status: 500, said: { message: messageOf(error) } }),
  )
  // Nobody may be waiting any more.
  if (stream.destroyed || stream.closed) return
  stream.respond({ ':status': status })
  stream.end(JSON.stringify(said))
}

/** Answers with bytes. A stream that is cut off tells the other side that they are not all. */
export function send(stream: ServerHttp2Stream, bytes: NodeJS.ReadableStream | AsyncIterable<Buffer>): void {
  if (stream.destroyed || stream.closed) return
  stream.respond({ ':status': 200 })
  const source = 'pipe' in bytes ? bytes : Readable.from(bytes, { objectMode: false })
  pipeline(source, stream).catch(() => cutStream(stream))
}
