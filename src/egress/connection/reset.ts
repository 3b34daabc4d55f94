import type { Socket } from 'node:net'

/**
 * Ends a connection at once with a reset, dropping what it still wanted to send, so that the peer cannot take a cut-off stream for a whole one.
 * Where the end of stream is on its way already the socket is just closed: libuv refuses a reset then, and Node would leak the handle.
 */
export function reset(socket: Socket): void {
  if (socket.destroyed) return
  if (socket.writableEnded && socket.writableLength === 0) socket.destroy()
  else socket.resetAndDestroy()
}
