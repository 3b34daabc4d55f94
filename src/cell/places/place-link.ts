import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { eagerDuplex, type Transport } from './eager-duplex.ts'

const windowBytes = 256 * 1024
const sessionWindowBytes = 2 * 1024 ** 2
/** Cells, their streams, and connections of their programs. */
const mostStreams = 20_000
/** Milliseconds between PINGs. A cut link sends no FIN, so an unanswered PING is the only sign. */
const pingMs = 15_000

const bounds = {
  /** Mebibytes. The windows bound what streams hold; this bounds the session itself. */
  maxSessionMemory: 128,
  maxHeaderListPairs: 64,
  maxSendHeaderBlockLength: 64 * 1024,
  maxSessionInvalidFrames: 0,
  maxSessionRejectedStreams: 10,
  maxSettings: 16,
}

/**
 * Opens a session of HTTP/2 over a transport to another machine. This side is always the client: the other one cannot
 * open a stream. The session ends if a PING is not answered.
 */
export function openLink(transport: Transport, every: number = pingMs): ClientHttp2Session {
  const duplex = eagerDuplex(transport, (error) => session.destroy(error))
  const session: ClientHttp2Session = connect('http://cells', {
    ...bounds,
    createConnection: () => duplex,
    peerMaxConcurrentStreams: mostStreams,
    settings: { initialWindowSize: windowBytes, enablePush: false, maxConcurrentStreams: 0, maxHeaderListSize: 64 * 1024 },
  })
  session.on('connect', () => session.setLocalWindowSize(sessionWindowBytes))
  keepAlive(session, every)
  return session
}

/**
 * Serves the streams of one home over a transport.
 * @param onEnd called once when the session has ended.
 */
export function serveLink(
  transport: Transport,
  onStream: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
  onEnd: () => void = () => undefined,
  every: number = pingMs,
): ServerHttp2Session {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  void ended.then(onEnd)
  const duplex = eagerDuplex(transport, (error) => {
    session.destroy(error)
    // A session that is destroyed does not always say that it is closed.
    end()
  })
  const session: ServerHttp2Session = performServerHandshake(duplex, {
    ...bounds,
    settings: {
      initialWindowSize: windowBytes,
      maxConcurrentStreams: mostStreams,
      enableConnectProtocol: false,
      maxHeaderListSize: 64 * 1024,
    },
  })
  session.once('connect', () => session.setLocalWindowSize(sessionWindowBytes)).once('close', end)
  session.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    onStream(stream, headers)
  })
  keepAlive(session, every)
  return session
}

function keepAlive(session: ClientHttp2Session | ServerHttp2Session, every: number): void {
  let isAnswered = true
  const timer = setInterval(() => {
    if (session.destroyed) return clearInterval(timer)
    if (!isAnswered) return session.destroy(new Error('the other side does not answer'))
    isAnswered = false
    session.ping((error: Error | null) => {
      isAnswered = error === null
    })
  }, every)
  timer.unref()
  session.on('error', () => {})
  session.once('close', () => clearInterval(timer))
}

/** Ends a stream so that the other side sees that it was cut off. */
export function cutStream(stream: ClientHttp2Stream | ServerHttp2Stream): void {
  if (!stream.destroyed) stream.close(constants.NGHTTP2_CANCEL)
}

/** Returns the answer to a request. Rejects if the stream ends without one. HTTP/2 reports no error for a stream that is cut off. */
export function responseOf(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders & IncomingHttpStatusHeader> {
  return new Promise((resolve, reject) => {
    stream.once('response', resolve).once('error', reject)
    stream.once('close', () => reject(new Error('the connection has ended')))
  })
}

/**
 * Returns the body of the answer to a request. It must be asked for together with the request: Node throws away a body whose stream has closed
 * before anybody reads it. If the stream is cut off, the body fails.
 */
export function bodyOf(stream: ClientHttp2Stream): Readable {
  const body = new PassThrough()
  body.on('error', () => {})
  pipeline(stream, body).catch(() => undefined)
  return body
}
