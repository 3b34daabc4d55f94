import type { Socket } from 'node:net'
import type { WebSocket } from '@fastify/websocket'
import { patienceMs as usualPatienceMs } from '../../fleet/sessions/terminal-session.ts'
import { encoded, FrameReader, largestFrame, takenFrame } from '../../fleet/sessions/viewer-frames.ts'
import type { OpenStream } from '../access/open-streams.ts'
import { closeCodes } from './watch-fleet.ts'

/** The most bytes that wait for a viewer. Above that, the server does not read from the host process. */
const mostWaiting = 256 * 1024
/** The most unread bytes of an acknowledging viewer. Above that, the server does not read from the host process. */
const mostUnread = 512 * 1024

export interface TerminalStream {
  readonly stream: OpenStream
  /** Returns whether the credential is still valid. */
  readonly isGood: () => boolean
  readonly beatMs: number
}

/** Facts about the viewer in addition to its connection. */
interface RelayOptions {
  /** Whether the viewer reports what it has read. A browser reads its socket whether the page reads or not, so the page reports this. */
  readonly acknowledges: boolean
  /** Milliseconds without progress after which a viewer with waiting data is cut off. */
  readonly patienceMs?: number
}

/**
 * Relays between a viewer and the host process of the terminal. Binary messages are bytes, texts are JSON. The server stores nothing,
 * and reads no faster than the viewer does. Resolves when either side has ended.
 */
export async function relayTerminal(
  socket: WebSocket,
  open: () => Promise<Socket>,
  { stream, isGood, beatMs }: TerminalStream,
  { acknowledges, patienceMs = usualPatienceMs }: RelayOptions,
): Promise<void> {
  // Messages that arrive meanwhile wait.
  socket.pause()
  const { promise: over, resolve: setOver } = Promise.withResolvers<keyof typeof closeCodes | 'closed'>()
  // The viewer's close event fires only once, and may already have fired.
  socket.once('close', () => setOver('closed'))
  socket.on('error', () => setOver('closed'))
  if (socket.readyState !== socket.OPEN) return
  const host = await open()
  const reader = new FrameReader()
  let unread = 0
  const isFull = (): boolean => socket.bufferedAmount >= mostWaiting || unread >= mostUnread
  let slow: NodeJS.Timeout | undefined
  const taken = (): void => {
    if (isFull()) return
    clearTimeout(slow)
    slow = undefined
    host.resume()
  }
  /** Stops reading. The host process then cuts off a slow viewer, which is not noticed here while nothing is read. */
  const full = (): void => {
    host.pause()
    slow ??= setTimeout(() => setOver('slow'), patienceMs)
  }
  host.on('data', (chunk: Buffer) => {
    try {
      for (const frame of reader.take(chunk)) {
        if (acknowledges && typeof frame !== 'string') unread += frame.length
        socket.send(frame, { binary: typeof frame !== 'string' }, taken)
      }
    } catch {
      setOver('ended')
    }
    if (isFull()) full()
  })
  host.on('error', () => setOver('ended'))
  host.once('close', () => setOver('ended'))
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (data.length > largestFrame) return setOver('talked')
    const read = acknowledges && !isBinary ? readIn(data) : 0
    if (read > 0) {
      unread = Math.max(0, unread - read)
      return taken()
    }
    // A host process stops accepting data if its program does not read.
    if (!host.write(encoded(isBinary ? data : data.toString('utf8')))) {
      socket.pause()
      host.once('drain', () => socket.resume())
    }
  })
  socket.on('ping', (data: Buffer) => socket.bufferedAmount < mostWaiting && socket.pong(data, false, () => undefined))
  const ended = (): void => setOver(stream.signal.reason === 'stopping' ? 'stopping' : 'credential')
  stream.signal.addEventListener('abort', ended)
  if (stream.signal.aborted) ended()
  socket.resume()
  host.resume()
  const beating = setInterval(() => (isGood() ? socket.ping() : setOver('credential')), beatMs)
  try {
    const why = await over
    if (why !== 'closed') socket.close(closeCodes[why], why)
  } finally {
    clearInterval(beating)
    clearTimeout(slow)
    stream.signal.removeEventListener('abort', ended)
    host.destroy()
    setTimeout(() => socket.terminate(), beatMs).unref()
  }
}

/** Returns the number of bytes that a frame acknowledges; 0 for any other frame, which is for the host process. */
function readIn(frame: Buffer): number {
  try {
    return takenFrame.safeParse(JSON.parse(frame.toString('utf8'))).data?.bytes ?? 0
  } catch {
    return 0
  }
}
