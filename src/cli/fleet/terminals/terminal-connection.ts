import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { FromViewer, ToViewer } from '../../../fleet/sessions/viewer-frames.ts'

/** The WebSocket subprotocol of the server. */
const protocol = 'paddock.v1'

/** A viewer's connection to a terminal. */
export interface TerminalConnection {
  type(bytes: Buffer): void
  say(frame: FromViewer): void
  close(): void
  /** Resolves to true if the program has ended or this viewer may no longer watch, to false if the connection broke. */
  readonly ended: Promise<boolean>
}

export interface Shown {
  bytes(bytes: Buffer): void
  frame(frame: ToViewer): void
}

/** Connects to a terminal through the socket of a server. `query`: the size, and whether the viewer may type. Never rejects. */
export function connectTerminal(
  connect: () => Socket,
  session: string,
  query: Readonly<Record<string, string>>,
  shown: Shown,
): TerminalConnection {
  const url = `ws://localhost/api/v1/sessions/${session}/terminal?${new URLSearchParams(query)}`
  const socket = new WebSocket(url, [protocol], { createConnection: connect, perMessageDeflate: false, maxPayload: 1024 * 1024 })
  let isOver = false
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return shown.bytes(data)
    const frame = JSON.parse(data.toString('utf8')) as ToViewer
    if (frame.type === 'ended') isOver = true
    shown.frame(frame)
  })
  const ended = new Promise<boolean>((resolve) => {
    // Not retried, because the server would refuse again.
    socket.once('unexpected-response', () => {
      isOver = true
      socket.terminate()
    })
    socket.on('error', () => socket.terminate())
    socket.once('close', (code) => resolve(isOver || code === 4001))
  })
  const whenOpen = (send: () => void): void => {
    if (socket.readyState === WebSocket.OPEN) send()
  }
  return {
    type: (bytes) => whenOpen(() => socket.send(bytes)),
    say: (frame) => whenOpen(() => socket.send(JSON.stringify(frame))),
    close: () => socket.close(),
    ended,
  }
}
