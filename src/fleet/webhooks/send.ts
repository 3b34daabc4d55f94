import { request as httpRequest } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Connect, connectTcp, dial } from '../../egress/connection/dial.ts'
import { dnsResolver } from '../../egress/dns/resolver.ts'
import { ownAddresses } from '../../egress/policy/addresses.ts'
import { codeOf, type Finding, hostOf, targetsOf, Undelivered } from './address.ts'
import type { Delivery } from './delivery.ts'

/** How a receiver answered. */
export interface Answer {
  /** Null: it did not. */
  readonly status: number | null
  /** Why it was not taken, one sentence; null: it was. */
  readonly problem: string | null
}

/** Sends one delivery. Rejects only if the signal says so. */
export type Send = (url: string, delivery: Delivery, signal: AbortSignal) => Promise<Answer>

/** Milliseconds for all of one delivery. */
const longestMs = 10_000
/** Bytes of an answer that are read, so that a receiver who writes one is not cut off; they go nowhere. */
const maxAnswer = 4096

/** How receivers are found and reached. */
export interface Reaching extends Finding {
  readonly connect: Connect
}

/** Asks DNS servers directly, which takes no thread of the server's: names in /etc/hosts are of no use to a webhook. */
const real: Reaching = { resolver: dnsResolver(), own: ownAddresses, connect: connectTcp }

/**
 * Returns what sends deliveries over HTTP/1.1. The address that was checked is the one that is dialled, proxies of the environment are not
 * used, and redirects are not followed.
 */
export function sender(reaching: Reaching = real, timeoutMs: number = longestMs): Send {
  return async (text, delivery, signal) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      const url = new URL(text)
      const targets = await targetsOf(url, reaching, limit)
      const { socket } = await dial(targets, { connect: reaching.connect, totalMs: timeoutMs, signal: limit })
      const status = await statusOf(url, socket, delivery, limit)
      return { status, problem: problemOf(status) }
    } catch (error) {
      signal.throwIfAborted()
      if (limit.aborted || (error as Error).name === 'TimeoutError')
        return { status: null, problem: `No answer within ${timeoutMs / 1000} s.` }
      if (error instanceof Undelivered) return { status: null, problem: error.message }
      return { status: null, problem: `The connection failed (${codeOf(error)}).` }
    }
  }
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `Answered ${status}; redirects are not followed.` : `Answered ${status}.`
}

/** Makes the request on an open connection, which is closed afterwards, and resolves to the status of the answer. */
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
    // Whatever the environment says.
    rejectUnauthorized: true,
  })
}
