import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Ends a connection at once with a reset and drops unsent data, so that the peer cannot mistake a cut-off stream for a complete one.
 * If the end of the stream is already being sent, the socket is only closed: libuv refuses a reset then, and Node would leak the handle.
 * A stream that is not a socket is destroyed with an error, and has a listener for errors.
 */
export function reset(stream: Duplex): void {
  if (stream.destroyed) return
  if (stream.writableEnded && stream.writableLength === 0) stream.destroy()
  else if (stream instanceof Socket) stream.resetAndDestroy()
  else stream.destroy(new Error('the connection was reset'))
}
