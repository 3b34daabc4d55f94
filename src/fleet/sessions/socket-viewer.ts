import type { Socket } from 'node:net'
import type { Session, ViewerEnd, ViewerFacts } from './terminal-session.ts'
import { encoded, FrameReader, fromViewer } from './viewer-frames.ts'

/** Milliseconds to send the waiting bytes before an ended connection is closed. */
const endMs = 2_000

/**
 * Shows a session to the other end of a socket. An invalid frame ends the connection. If there is no session
 * or if it has too many viewers, the viewer gets the reason and the socket is ended.
 */
export function showOver(socket: Socket, session: Session | null, facts: ViewerFacts): void {
  const end = endOf(socket)
  const attached = session?.attach(end, facts) ?? null
  if (attached === null) {
    end.send(JSON.stringify({ type: 'ended', why: session === null ? 'This session has ended.' : 'Too many clients watch this session.' }))
    end.end()
    return
  }
  const reader = new FrameReader()
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const frame of reader.take(chunk)) {
        if (typeof frame === 'string') attached.said(fromViewer.parse(JSON.parse(frame)))
        else attached.typed(frame)
      }
    } catch {
      socket.destroy()
    }
  })
  socket.once('close', () => attached.left())
}

function endOf(socket: Socket): ViewerEnd {
  socket.on('error', () => socket.destroy())
  return {
    send(frame) {
      if (!socket.destroyed && !socket.writableEnded) socket.write(encoded(frame))
    },
    get waiting() {
      return socket.writableLength
    },
    onTaken(listener) {
      const called = (): void => {
        socket.off('drain', called)
        socket.off('close', called)
        listener()
      }
      socket.on('drain', called)
      socket.on('close', called)
    },
    end() {
      socket.end()
      setTimeout(() => socket.destroy(), endMs).unref()
    },
  }
}
