import type { Socket } from 'node:net'

/**
 * Ends a connection at once with a reset and drops unsent data, so that the peer cannot mistake a cut-off stream for a complete one.
 * If the end of the stream is already being sent, the socket is only closed: libuv refuses a reset then, and Node would leak the handle.
 */
export function reset(socket: Socket): void {
  if (socket.destroyed) return
  if (socket.writableEnded && socket.writableLength === 0) socket.destroy()
  else socket.resetAndDestroy()
}
