import { request as httpRequest } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Connect, connectBy, connectTcp, dial } from '../../egress/connection/dial.ts'
import { dnsResolver } from '../../egress/dns/resolver.ts'
import { trustedRoots } from '../../egress/inspect/tls/roots.ts'
import { ownAddresses } from '../../egress/policy/addresses.ts'
import { ProxyFailure } from '../../egress/upstream/proxy-handshake.ts'
import { wayOut } from '../../egress/upstream/way-out.ts'
import type { Delivery } from './delivery.ts'
import { codeOf, type Finding, hostOf, targetsOf, Undelivered } from './webhook-address.ts'

/** The answer of a receiver. */
export interface Answer {
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null
  /** The reason why the delivery was not accepted, in one sentence, or null. */
  readonly problem: string | null
}

/** Sends one delivery. Rejects only if the signal is aborted. */
export type Send = (url: string, delivery: Delivery, signal: AbortSignal) => Promise<Answer>

/** The timeout for a whole delivery, in milliseconds. */
const longestMs = 10_000
/** The most bytes of an answer that are read, so that the receiver can finish it. The bytes are discarded. */
const maxAnswer = 4096

/** The dependencies for finding and reaching receivers. */
export interface Reaching extends Finding {
  readonly connect: Connect
}

/** Queries DNS servers directly, which uses no thread of the server. Webhooks do not need the names in /etc/hosts. */
const real = (): Reaching => ({ resolver: dnsResolver(), own: ownAddresses, connect: connectTcp, upstream: wayOut().upstream })

/**
 * Returns a function that sends deliveries over HTTP/1.1. It connects only to addresses that were checked, or through the proxy of this
 * machine, and follows no redirect.
 */
export function sender(reaching: Reaching = real(), timeoutMs: number = longestMs): Send {
  return async (text, delivery, signal) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      const url = new URL(text)
      const targets = await targetsOf(url, reaching, limit)
      const { socket } = await dial(targets, { connect: connectBy(reaching), totalMs: timeoutMs, signal: limit })
      const status = await statusOf(url, socket, delivery, limit)
      return { status, problem: problemOf(status) }
    } catch (error) {
      signal.throwIfAborted()
      if (limit.aborted || (error as Error).name === 'TimeoutError')
        return { status: null, problem: `No answer within ${timeoutMs / 1000} s.` }
      if (error instanceof Undelivered) return { status: null, problem: error.message }
      if (error instanceof ProxyFailure) return { status: null, problem: `${error.message.replace(/^t/, 'T')}.` }
      return { status: null, problem: `The connection failed (${codeOf(error)}).` }
    }
  }
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `Answered ${status}; redirects are not followed.` : `Answered ${status}.`
}

/** Sends the request on an open connection, closes it, and returns the status of the answer. */
async function statusOf(url: URL, socket: Socket, { headers, body }: Delivery, signal: AbortSignal): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const stop = (): void => void socket.destroy()
  signal.addEventListener('abort', stop, { once: true })
  const stream = url.protocol === 'https:' ? overTls(url, socket) : socket
  try {
    const request = httpRequest({
      createConnection: () => stream,
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': String(body.length), connection: 'close' },
    })
    request.on('error', reject).on('close', () => reject(new Undelivered('The connection was closed without an answer.')))
    request.on('upgrade', (response) => resolve(response.statusCode ?? 0))
    request.on('response', (response) => {
      const status = response.statusCode ?? 0
      let read = 0
      response.on('data', (chunk: Buffer) => {
        read += chunk.length
        if (read > maxAnswer) resolve(status)
      })
      response.on('error', () => resolve(status)).on('close', () => resolve(status))
    })
    request.end(body)
    return await promise
  } finally {
    signal.removeEventListener('abort', stop)
    stream.destroy()
    socket.destroy()
  }
}

function overTls(url: URL, socket: Socket): Socket {
  const host = hostOf(url)
  return connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    // This applies regardless of the environment.
    rejectUnauthorized: true,
    ...(wayOut().added().certificates.length === 0 ? {} : { secureContext: trustedRoots([]) }),
  })
}
