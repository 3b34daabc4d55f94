import type { Socket } from 'node:net'
import type { WebSocket } from '@fastify/websocket'
import { encoded, FrameReader, largestFrame } from '../../fleet/sessions/viewer-frames.ts'
import type { OpenStream } from '../access/open-streams.ts'
import { closeCodes } from './watch.ts'

/** Bytes that wait for a viewer before the host process is asked for no more. */
const mostWaiting = 256 * 1024

export interface TerminalStream {
  readonly stream: OpenStream
  /** Whether the credential is still good. */
  readonly isGood: () => boolean
  readonly beatMs: number
}

/**
 * Relays between a viewer and the host process that holds the terminal: binary messages are bytes, texts are JSON. The server keeps nothing of it,
 * and reads no faster than the viewer does. Returns when one of them has ended.
 */
export async function relayTerminal(
  socket: WebSocket,
  open: () => Promise<Socket>,
  { stream, isGood, beatMs }: TerminalStream,
): Promise<void> {
  // What comes meanwhile waits.
  socket.pause()
  const host = await open()
  const { promise: over, resolve: setOver } = Promise.withResolvers<keyof typeof closeCodes | 'closed'>()
  const reader = new FrameReader()
  const taken = (): void => {
    if (socket.bufferedAmount < mostWaiting) host.resume()
  }
  host.on('data', (chunk: Buffer) => {
    try {
      for (const frame of reader.take(chunk)) socket.send(frame, { binary: typeof frame !== 'string' }, taken)
    } catch {
      setOver('ended')
    }
    if (socket.bufferedAmount >= mostWaiting) host.pause()
  })
  host.on('error', () => setOver('ended'))
  host.once('close', () => setOver('ended'))
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (data.length > largestFrame) return setOver('talked')
    // A host process that takes nothing is one whose program does not read.
    if (!host.write(encoded(isBinary ? data : data.toString('utf8')))) {
      socket.pause()
      host.once('drain', () => socket.resume())
    }
  })
  socket.on('ping', (data: Buffer) => socket.bufferedAmount < mostWaiting && socket.pong(data, false, () => undefined))
  socket.once('close', () => setOver('closed'))
  socket.on('error', () => setOver('closed'))
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
    stream.signal.removeEventListener('abort', ended)
    host.destroy()
    setTimeout(() => socket.terminate(), beatMs).unref()
  }
}
