import type { Socket } from 'node:net'
import type * as z from 'zod'
import { Lines } from '../../files/lines.ts'
import { maxFrame } from './host-protocol.ts'

/** The most bytes that wait for a slow reader before the connection is ended. The reader can reconnect and read the files. */
const maxWaiting = 2 * maxFrame

/** Milliseconds that the reader has to receive waiting frames before an ended connection is closed. */
const endMs = 500

/** One end of a connection between a server and a host process. */
export interface Frames<Out> {
  /** Sends a frame. Has no effect after the connection has ended. */
  send(frame: Out): void
  /** Sends waiting frames, then ends the connection. */
  end(): void
  /** Ends the connection immediately. */
  destroy(): void
  /** Stops reading and hands the connection to the caller, who gets the bytes that follow. `close` is not called. */
  release(): Socket
}

/**
 * Reads and writes frames, one JSON object per line. A frame that is too long, not JSON or does not match the schema ends the connection,
 * as does a handler that throws; the process continues. `close` is called once, after the last frame.
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
