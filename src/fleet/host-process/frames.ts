import type { Socket } from 'node:net'
import type * as z from 'zod'
import { Lines } from '../../files/lines.ts'
import { maxFrame } from './protocol.ts'

/** Bytes that wait for a slow reader before its connection is ended; it can connect again and read the files. */
const maxWaiting = 2 * maxFrame

/** Milliseconds for what waits to be read before an ended connection is closed. */
const endMs = 500

/** One end of a connection between a server and a host process. */
export interface Frames<Out> {
  /** Sends a frame. After the connection has ended it does nothing. */
  send(frame: Out): void
  /** Sends what waits, then ends the connection. */
  end(): void
  /** Ends the connection at once. */
  destroy(): void
  /** Reads nothing more here: from the next bytes on, the connection is its caller's. `close` is not called. */
  release(): Socket
}

/**
 * Reads and writes frames, one JSON object a line. A frame that is too long, is not JSON or does not fit the schema ends the connection, and
 * so does a handler that throws; the process is not concerned. `onClose` is called once, after the last frame.
 */
export function framesOf<In extends z.ZodType, Out>(
  socket: Socket,
  schema: In,
  on: { frame(frame: z.output<In>): void; close(): void },
): Frames<Out> {
  const lines = new Lines(maxFrame)
  socket.on('error', () => socket.destroy())
  let isReleased = false
  const closed = (): void => on.close()
  const read = (chunk: Buffer): void => {
    try {
      for (const line of lines.take(chunk)) {
        if (socket.destroyed || isReleased) return
        on.frame(schema.parse(JSON.parse(line)))
      }
    } catch {
      socket.destroy()
    }
  }
  socket.once('close', closed)
  socket.on('data', read)
  return {
    send(frame) {
      if (socket.destroyed || socket.writableEnded) return
      socket.write(`${JSON.stringify(frame)}\n`)
      if (socket.writableLength > maxWaiting) socket.destroy()
    },
    end() {
      socket.end()
      setTimeout(() => socket.destroy(), endMs).unref()
    },
    destroy: () => void socket.destroy(),
    release() {
      isReleased = true
      socket.off('close', closed)
      socket.off('data', read)
      return socket
    },
  }
}
