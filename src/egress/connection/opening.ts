import type { Duplex } from 'node:stream'
import { readRequestHead } from '../http/http-head.ts'
import { type Destination, type Refusal, refuseHead } from '../http/http-stream.ts'
import { readsAsHttp2 } from './clear-http2.ts'
import { type Held, noRoom } from './held-bytes.ts'
import { HelloReader } from './sni.ts'

/** The protocol of a client's allowed first bytes. `http2`: HTTP/2 without TLS. The caller decides whether it may pass. */
type Opening = 'tls' | 'http' | 'http2' | 'opaque'

export type OpeningResult =
  | { readonly kind: 'open'; readonly opening: Opening; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Nothing was received in time. The client may still send data. */
  | { readonly kind: 'silent' }
  /** The client left, or the signal was aborted. */
  | { readonly kind: 'gone' }

type Verdict = { readonly kind: 'open'; readonly opening: Opening } | { readonly kind: 'refused'; readonly refusal: Refusal } | 'need-more'

/** Maximum length of a first line that is examined here. A longer one that could still be a request line is left to the strict reader. */
const maxSniffed = 8 * 1_024

/**
 * Judges the first bytes of a client as they arrive. The port determines the expected protocol; on other ports the bytes are examined
 * first.
 */
export class OpeningJudge {
  readonly #destination: Destination
  #expected: 'tls' | 'http' | 'any'
  #all: Buffer = Buffer.alloc(0)
  readonly #hello = new HelloReader()

  constructor(destination: Destination) {
    this.#destination = destination
    this.#expected = destination.port === 443 ? 'tls' : destination.port === 80 ? 'http' : 'any'
  }

  push(chunk: Buffer): Verdict {
    const before = this.#all.length
    if (this.#expected === 'tls') return this.#tls(chunk)
    this.#all = before === 0 ? chunk : Buffer.concat([this.#all, chunk])
    if (this.#expected === 'http') return this.#http(chunk, before)
    const look = sniff(this.#all)
    if (look === 'need-more') return look
    if (look === 'opaque') return { kind: 'open', opening: 'opaque' }
    this.#expected = look
    return look === 'tls' ? this.#tls(this.#all) : this.#http(this.#all, 0)
  }

  /** Returns the verdict for a client that ends its side here. Text without a line end is not a request line. */
  ended(): Verdict | 'gone' {
    return this.#expected === 'any' && this.#all.length > 0 ? { kind: 'open', opening: 'opaque' } : 'gone'
  }

  /** Returns the refusal for a client that sends no more bytes in time. */
  late(): Refusal {
    if (this.#expected === 'tls') return { reason: 'not-tls', detail: 'no ClientHello in time' }
    if (this.#expected === 'http') return { reason: 'not-http', detail: 'no request in time' }
    return { reason: 'malformed', detail: 'a first line without an end' }
  }

  #tls(chunk: Buffer): Verdict {
    const result = this.#hello.push(chunk)
    if (result.kind === 'need-more') return 'need-more'
    if (result.kind === 'not-tls') return refused('not-tls', 'the first bytes are not a TLS record')
    if (result.kind === 'malformed') return refused('malformed', result.why)
    const { serverName } = result.hello
    if (serverName === null) return refused('no-sni', 'the ClientHello names no server')
    if (serverName !== this.#destination.host) return refused('sni-mismatch', `the ClientHello names ${serverName}`)
    return { kind: 'open', opening: 'tls' }
  }

  #http(fresh: Buffer, scanned: number): Verdict {
    const http2 = readsAsHttp2(this.#all)
    if (http2 === 'yes') return { kind: 'open', opening: 'http2' }
    if (http2 !== 'no') return http2 === 'need-more' ? http2 : refused('not-http', 'HTTP/2 without TLS, with a malformed start')
    const result = readRequestHead(this.#all, scanned)
    if (result.kind === 'need-more') return looksTextual(fresh) ? 'need-more' : refused('not-http', 'the first bytes are not a request')
    if (result.kind === 'malformed') return refused(result.why === 'the request line' ? 'not-http' : 'malformed', result.why)
    const refusal = refuseHead(result.head, this.#destination)
    return refusal === null ? { kind: 'open', opening: 'http' } : { kind: 'refused', refusal }
  }
}

function refused(reason: Refusal['reason'], detail: string): Verdict {
  return { kind: 'refused', refusal: { reason, detail } }
}

const mayBecomeRequest = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{0,64}(?: [\x21-\xff]*(?: [A-Za-z0-9/.]*\r?)?)?$/

/**
 * Guesses the protocol of the first bytes on a port without an expected protocol. Returns TLS or HTTP for anything a lenient server may
 * read as such; the strict readers then decide. Waits for more while the bytes can still become a request line.
 */
function sniff(bytes: Buffer): 'tls' | 'http' | 'opaque' | 'need-more' {
  if (bytes[0] === 22) return bytes.length === 1 ? 'need-more' : bytes[1] === 3 ? 'tls' : 'opaque'
  let start = 0
  while (bytes[start] === 0x0d || bytes[start] === 0x0a || bytes[start] === 0x20 || bytes[start] === 0x09) start++
  const end = bytes.indexOf(0x0a, start)
  const line = bytes.toString('latin1', start, end < 0 ? bytes.length : end)
  if (/ HTTP\//i.test(line)) return 'http'
  if (end >= 0 || !mayBecomeRequest.test(line)) return 'opaque'
  return bytes.length < maxSniffed ? 'need-more' : 'http'
}

function looksTextual(bytes: Buffer): boolean {
  return bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a)
}

/**
 * Waits for the first bytes of a paused socket and judges them. Leaves the socket paused. The bytes are consumed and returned in the
 * result.
 * @param silentMs milliseconds to wait for the first byte; after that, the result is `silent`.
 * @param totalMs milliseconds from the call to the verdict.
 * @param held counts the bytes. If they do not fit, the result is a refusal. Its creator must release it.
 */
export function readOpening(
  socket: Duplex,
  judge: OpeningJudge,
  limits: { readonly silentMs: number; readonly totalMs: number; readonly signal: AbortSignal; readonly held: Held },
): Promise<OpeningResult> {
  const { promise, resolve } = Promise.withResolvers<OpeningResult>()
  const chunks: Buffer[] = []
  let bytes = 0
  const settle = (verdict: Verdict | 'silent' | 'gone') => {
    if (verdict === 'need-more') return
    clearTimeout(silence)
    clearTimeout(total)
    limits.signal.removeEventListener('abort', onGone)
    socket.off('data', onData).off('end', onEnd).off('close', onGone)
    socket.pause()
    if (typeof verdict === 'string') resolve({ kind: verdict })
    else resolve(verdict.kind === 'open' ? { ...verdict, bytes: Buffer.concat(chunks) } : verdict)
  }
  const onData = (chunk: Buffer) => {
    clearTimeout(silence)
    chunks.push(chunk)
    bytes += chunk.length
    settle(limits.held.set(bytes) ? judge.push(chunk) : { kind: 'refused', refusal: noRoom })
  }
  const onEnd = () => settle(judge.ended())
  const onGone = () => settle('gone')
  const silence = setTimeout(() => settle('silent'), limits.silentMs)
  const total = setTimeout(() => settle({ kind: 'refused', refusal: judge.late() }), limits.totalMs)
  socket.on('data', onData).on('end', onEnd).on('close', onGone)
  limits.signal.addEventListener('abort', onGone, { once: true })
  if (limits.signal.aborted || socket.destroyed) onGone()
  else socket.resume()
  return promise
}

/** Returns which of two paused sockets first sends something or ends. Leaves both paused, with that data pushed back. */
export function firstToSpeak(client: Duplex, upstream: Duplex, signal: AbortSignal): Promise<'client' | 'upstream' | 'gone'> {
  const { promise, resolve } = Promise.withResolvers<'client' | 'upstream' | 'gone'>()
  const settle = (who: 'client' | 'upstream' | 'gone') => {
    for (const socket of [client, upstream]) socket.removeAllListeners('data').off('end', onEnd).off('close', onGone).pause()
    signal.removeEventListener('abort', onGone)
    resolve(who)
  }
  // If the client ends without sending anything, there is nothing to check.
  const onEnd = () => settle('upstream')
  const onGone = () => settle('gone')
  const listen = (socket: Duplex, who: 'client' | 'upstream') => {
    socket.on('end', onEnd).on('close', onGone)
    socket.once('data', (chunk: Buffer) => {
      settle(who)
      socket.unshift(chunk)
    })
    socket.resume()
  }
  signal.addEventListener('abort', onGone, { once: true })
  if (signal.aborted || client.destroyed || upstream.destroyed) onGone()
  else {
    listen(client, 'client')
    listen(upstream, 'upstream')
  }
  return promise
}
