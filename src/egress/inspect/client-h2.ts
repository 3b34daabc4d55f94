import { constants, type IncomingHttpHeaders, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { type HeldBytes, noRoom } from '../connection/held-bytes.ts'
import { RefusedError } from '../http/http-guard.ts'
import { maxHeadBytes } from '../requests/fields.ts'
import { sizeOf } from '../requests/head-size.ts'
import { type ExchangeContext, exchange } from './exchange.ts'
import { guarded } from './guarded.ts'
import { inboundH2 } from './inbound-h2.ts'
import { Places } from './placeholder-places.ts'

/** The approximate memory of an idle HTTP/2 connection (measured): the buffers of TLS and of the session, and both HPACK tables. */
const sessionBytes = 100_000
/**
 * Maximum number of simultaneous HTTP/2 requests of one cell. Further streams are refused (RFC 9113, section 8.7: not processed, may be
 * retried). With the window, this bounds the memory of stalled bodies: 512 times 64 KiB in one direction, and about as much in the other.
 */
const maxStreams = 512

/** PINGs that a session may send, and additional PINGs for each of its requests. The host must answer each one. */
const maxPings = 1_000
const pingsPerRequest = 10

const h2Options = {
  settings: { maxConcurrentStreams: 100, initialWindowSize: 65_536, maxHeaderListSize: maxHeadBytes, enableConnectProtocol: false },
  /** Maximum memory of a session in MiB. */
  maxSessionMemory: 4,
  maxHeaderListPairs: 256,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  maxOutstandingPings: 4,
  maxSettings: 16,
  streamResetBurst: 200,
  streamResetRate: 50,
}

/** State that the HTTP/2 connections of one cell share. */
export interface H2Room {
  readonly streams: Places
  readonly held: HeldBytes
}

export const h2Room = (held: HeldBytes): H2Room => ({ streams: new Places(maxStreams), held })

/** Serves an HTTP/2 connection to its end. Rejects with `RefusedError` if the cell has no room for another connection. */
export async function speakH2(socket: TLSSocket, context: ExchangeContext, room: H2Room): Promise<void> {
  const held = room.held.hold()
  if (!held.set(sessionBytes)) {
    socket.destroy()
    throw new RefusedError(noRoom)
  }
  await h2Session(socket, context, room).finally(() => held.release())
}

function h2Session(socket: TLSSocket, context: ExchangeContext, room: H2Room): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const session: ServerHttp2Session = performServerHandshake(socket, h2Options)
  const broken = () => session.destroy()
  session.once(
    'connect',
    guarded(() => session.setLocalWindowSize(1_048_576), broken),
  )
  session.on(
    'stream',
    guarded((stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, raw: readonly string[]) => {
      const leave = room.streams.take()
      const held = room.held.hold()
      stream.on('error', () => {})
      if (leave !== null) stream.once('close', leave)
      stream.once('close', () => held.release())
      if (leave === null || !held.set(sizeOf({ rawHeaders: [...raw] }))) return stream.close(constants.NGHTTP2_REFUSED_STREAM)
      exchange(inboundH2(stream, headers, raw), context).catch(broken)
    }, broken),
  )
  let pings = maxPings
  session.on('stream', () => {
    pings = Math.min(maxPings, pings + pingsPerRequest)
  })
  session.on(
    'ping',
    guarded(() => {
      if (--pings < 0) session.destroy(new Error('too many PINGs'), constants.NGHTTP2_ENHANCE_YOUR_CALM)
    }, broken),
  )
  session.on('error', () => {})
  session.once('close', () => {
    socket.destroySoon()
  })
  socket.once('close', () => {
    session.destroy()
    resolve()
  })
  return promise
}
