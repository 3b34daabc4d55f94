import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
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
 * @param onEnd called once when the session has ended.
 */
export function openLink(transport: Transport, onEnd: () => void = () => undefined, every: number = pingMs): ClientHttp2Session {
  const end = endOf(() => session, onEnd)
  const duplex = eagerDuplex(transport, end)
  const session: ClientHttp2Session = connect('http://cells', {
    ...bounds,
    createConnection: () => duplex,
    peerMaxConcurrentStreams: mostStreams,
    settings: { initialWindowSize: windowBytes, enablePush: false, maxConcurrentStreams: 0, maxHeaderListSize: 64 * 1024 },
  })
  session.on('connect', () => session.setLocalWindowSize(sessionWindowBytes)).once('close', () => end())
  keepAlive(session, end, every)
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
  const end = endOf(() => session, onEnd)
  const duplex = eagerDuplex(transport, end)
  const session: ServerHttp2Session = performServerHandshake(duplex, {
    ...bounds,
    settings: {
      initialWindowSize: windowBytes,
      maxConcurrentStreams: mostStreams,
      enableConnectProtocol: false,
      maxHeaderListSize: 64 * 1024,
    },
  })
  session.once('connect', () => session.setLocalWindowSize(sessionWindowBytes)).once('close', () => end())
  session.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    onStream(stream, headers)
  })
  keepAlive(session, end, every)
  return session
}

/** Returns what ends a session, once: one that is destroyed does not always say that it is closed. */
function endOf(session: () => ClientHttp2Session | ServerHttp2Session, onEnd: () => void): (error?: Error) => void {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  void ended.then(onEnd)
  return (error) => {
    session().destroy(error)
    resolve()
  }
}

function keepAlive(session: ClientHttp2Session | ServerHttp2Session, end: (error?: Error) => void, every: number): void {
  let isAnswered = true
  const timer = setInterval(() => {
    if (session.destroyed) return clearInterval(timer)
    if (!isAnswered) return end(new Error('the other side does not answer'))
    isAnswered = false
    session.ping((error: Error | null) => {
      isAnswered = error === null
    })
  }, every)
  timer.unref()
  session.on('error', () => {})
  session.once('close', () => clearInterval(timer))
}

/** Sends a request. The caller writes its body and ends it. */
export function request(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  return session.request({ ':method': 'POST', ':path': path }, { endStream: false }).on('error', () => {})
}

/** Ends a stream so that the other side sees that it was cut off. Node's `close` would end its body properly first. */
export function cutStream(stream: ClientHttp2Stream | ServerHttp2Stream): void {
  stream.destroy(new Error('the stream was cut off'))
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

/** Returns the text of a body. Rejects if it is longer, because the other side may never end it. @param most bytes */
export async function textOf(body: AsyncIterable<unknown>, most: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += (part as Buffer).length
    if (size > most) throw new Error(`the other side answers with more than ${most} bytes`)
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts).toString('utf8')
}
