import type { WebSocket } from '@fastify/websocket'
import { pump } from './pump.ts'
import type { Following } from './sse.ts'
import { frames } from './stream-frames.ts'

/** Close codes of the server's WebSockets. A reader resumes after `slow`, `stopping` and any code below 4000. */
export const closeCodes = {
  /** The job has ended, so nothing more will be added. */
  ended: 4000,
  /** The token was revoked or has expired, or the session has ended. */
  credential: 4001,
  /** The reader was too far behind. */
  slow: 4002,
  /** The reader sent data, which a stream does not accept. */
  talked: 4003,
  /** The server is stopping. */
  stopping: 4004,
} as const

const mostPongBytes = 64 * 1024

/** Sends a source over a WebSocket in the frames of `frames`. Resolves when the stream is over. */
export async function sendFrames<T>(socket: WebSocket, following: Following<T>): Promise<void> {
  // The close event does not fire again.
  if (socket.readyState !== socket.OPEN) return
  const { source, stream, limits } = following
  const over = new AbortController()
  socket.once('close', () => over.abort('closed'))
  socket.on('error', () => over.abort('closed'))
  socket.on('message', () => over.abort('talked'))
  // A client that pings without reading gets no pongs, because they would have to be stored.
  socket.on('ping', (data: Buffer) => socket.bufferedAmount < mostPongBytes && socket.pong(data, false, () => {}))
  const signal = AbortSignal.any([stream.signal, over.signal])
  const end = await pump({
    source,
    after: following.after,
    encoding: frames(source),
    send: (data, taken) => socket.send(data, () => taken()),
    signal,
    limits,
    onBeat: () => !following.isGood() && over.abort('credential'),
  })
  const why = end === 'aborted' ? String(signal.reason) : end
  if (why === 'closed') return
  socket.close(closeCodes[why as keyof typeof closeCodes], why)
  const linger = setTimeout(() => socket.terminate(), limits.lingerMs)
  socket.once('close', () => clearTimeout(linger))
}
