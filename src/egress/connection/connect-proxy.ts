import { hash, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { maxHeadBytes, readFields, readRequestHead } from '../http/http-head.ts'
import { wireName } from '../policy/host-pattern.ts'
import { type Held, noRoom } from './held-bytes.ts'
import { reset } from './reset.ts'

/** A client's request to the proxy. */
export type ProxyRequest =
  | { readonly kind: 'need-more' }
  /** A `CONNECT` request. Answer it with 200. `rest` contains the first bytes from the client to the host. */
  | { readonly kind: 'connect'; readonly host: string; readonly port: number; readonly rest: Buffer }
  /** A request in absolute form. `first` contains the bytes to send to the host instead of it. */
  | { readonly kind: 'forward'; readonly host: string; readonly port: number; readonly first: Buffer }
  | { readonly kind: 'refused'; readonly status: 400 | 407 | 431; readonly why: string }

const headEnd = Buffer.from('\r\n\r\n')
const connectLine = /^CONNECT ([A-Za-z0-9._-]{1,253}):([1-9]\d{0,4}) HTTP\/1\.1$/
/** Hop-by-hop fields between a client and its proxy (RFC 9110, sections 7.6.1 and 11.7). */
const hopByHop = /^(?:proxy-[a-z-]*|connection|keep-alive|te|upgrade)$/

/**
 * Reads the head of a request to a forward proxy off the start of `bytes`: `CONNECT name:port` (RFC 9110, section 9.3.6) or an
 * absolute-form request for an `http` URL (RFC 9112, section 3.2.2). As strict as `readRequestHead`: the name must be in wire form, the
 * Host field must match it, and addresses and CONNECT requests with a body are refused. A client without the token (user `cell`, Basic, RFC
 * 7617) learns only that there is a proxy.
 */
export function readProxyRequest(bytes: Buffer, token: string): ProxyRequest {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return bytes.length >= maxHeadBytes ? refused(431, 'a head longer than 64 KiB') : { kind: 'need-more' }
  const total = end + headEnd.length
  if (total > maxHeadBytes) return refused(431, 'a head longer than 64 KiB')
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const fields = readFields(lines)
  if (typeof fields === 'string') return refused(400, fields)
  if (!authorised(fields.get('proxy-authorization') ?? [], token)) return refused(407, 'the credentials')
  return first.startsWith('CONNECT ')
    ? readConnect(first, fields, bytes.subarray(total))
    : readForward(first, lines, bytes.subarray(0, total), bytes.subarray(total))
}

function readConnect(line: string, fields: Map<string, string[]>, rest: Buffer): ProxyRequest {
  const [, name = '', digits = ''] = connectLine.exec(line) ?? []
  const host = wireName(name)
  const port = Number(digits)
  if (host === null || port > 65_535) return refused(400, 'the request line')
  if (fields.has('content-length') || fields.has('transfer-encoding')) return refused(400, 'CONNECT with a body')
  const named = fields.get('host') ?? []
  const [said = ''] = named
  if (named.length !== 1 || ![`${host}:${port}`, host].includes(said.toLowerCase())) return refused(400, 'the Host')
  return { kind: 'connect', host, port, rest }
}

function readForward(line: string, lines: readonly string[], head: Buffer, rest: Buffer): ProxyRequest {
  const read = readRequestHead(head)
  if (read.kind !== 'head') return refused(400, read.kind === 'malformed' ? read.why : 'the head')
  const [host, target] = read.head.authorities
  if (host === undefined || target === undefined) return refused(400, 'a request target that is not absolute')
  if (host.host !== target.host || (host.port ?? 80) !== (target.port ?? 80)) return refused(400, 'the Host')
  if (read.head.websocket) return refused(400, 'an upgrade outside of CONNECT')
  const port = target.port ?? 80
  if (port < 1 || port > 65_535) return refused(400, 'the request target')
  const [method = '', url = '', protocol = ''] = line.split(' ')
  const path = url.replace(/^http:\/\/[^/?#]*/i, '')
  const kept = lines.filter((each) => !hopByHop.test(each.slice(0, each.indexOf(':')).toLowerCase()))
  const origin = [`${method} ${path.startsWith('/') ? path : `/${path}`} ${protocol}`, ...kept, 'Connection: close', '', '']
  return { kind: 'forward', host: target.host, port, first: Buffer.concat([Buffer.from(origin.join('\r\n'), 'latin1'), rest]) }
}

function refused(status: 400 | 407 | 431, why: string): ProxyRequest {
  return { kind: 'refused', status, why }
}

function authorised(given: readonly string[], token: string): boolean {
  const [, coded = ''] = /^Basic ([A-Za-z0-9+/]{1,512}={0,2})$/i.exec(given[0] ?? '') ?? []
  const right = timingSafeEqual(hash('sha256', coded, 'buffer'), hash('sha256', Buffer.from(`cell:${token}`).toString('base64'), 'buffer'))
  return given.length === 1 && right
}

const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  431: 'Request Header Fields Too Large',
}

/** Sends an error status and closes the connection. */
export function refuseProxied(client: Socket, status: number): void {
  const challenge = status === 407 ? 'Proxy-Authenticate: Basic realm="paddock"\r\n' : ''
  client.end(`HTTP/1.1 ${status} ${phrases[status] ?? 'Error'}\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`)
  // Everything that the client still sends is discarded.
  client.resume()
  setTimeout(() => reset(client), 1_000).unref()
}

/**
 * Reads the request from a paused socket and leaves the socket paused, with the bytes for the host pushed back. Returns null if the client
 * left, was too slow or was refused (in that case the answer has been sent). `held` counts the bytes. Its creator must release it.
 */
export function readProxied(
  client: Socket,
  token: string,
  options: { readonly ms: number; readonly signal: AbortSignal; readonly onRefused: (why: string) => void; readonly held: Held },
): Promise<{ readonly host: string; readonly port: number; readonly kind: 'connect' | 'forward' } | null> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof readProxied>>>()
  let all: Buffer = Buffer.alloc(0)
  const settle = (result: Awaited<ReturnType<typeof readProxied>>): void => {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', onGone)
    client.off('data', onData).off('end', onGone).off('close', onGone)
    client.pause()
    resolve(result)
  }
  const onGone = (): void => settle(null)
  const onData = (chunk: Buffer): void => {
    all = Buffer.concat([all, chunk])
    const read = options.held.set(all.length) ? readProxyRequest(all, token) : refused(431, noRoom.detail)
    if (read.kind === 'need-more') return
    if (read.kind === 'refused') {
      settle(null)
      options.onRefused(read.why)
      return refuseProxied(client, read.status)
    }
    settle({ host: read.host, port: read.port, kind: read.kind })
    const first = read.kind === 'connect' ? read.rest : read.first
    if (first.length > 0) client.unshift(first)
  }
  const timer = setTimeout(onGone, options.ms)
  client.on('data', onData).once('end', onGone).once('close', onGone)
  options.signal.addEventListener('abort', onGone, { once: true })
  if (options.signal.aborted || client.destroyed) onGone()
  else client.resume()
  return promise
}
