import { request } from 'node:https'
import { messageOf } from '../../base/errors.ts'
import { outConnection } from '../../egress/upstream/out-connection.ts'
import { ProxyFailure } from '../../egress/upstream/proxy-handshake.ts'

export interface TokenRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface TokenResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Sends one POST and returns the whole answer. Rejects with `TransportFailure`. */
export type TokenTransport = (request: TokenRequest) => Promise<TokenResponse>

/** An error if no readable answer arrived. `message` is one clause for people. */
export class TransportFailure extends Error {
  /** True: the request may have arrived and been answered. */
  readonly mayHaveArrived: boolean

  constructor(message: string, mayHaveArrived: boolean) {
    super(message)
    this.mayHaveArrived = mayHaveArrived
  }
}

const maxBytes = 256 * 1024

/**
 * Sends HTTPS only to the host of the URL. No redirect is followed. The way out of this machine is used, which may be a proxy. `ca` replaces the trusted authorities. `address`
 * replaces the address of the host's name, but the certificate must still be that of the host.
 */
export function httpsTransport(
  options: { readonly ca?: string; readonly address?: { readonly host: string; readonly port: number }; readonly timeoutMs?: number } = {},
): TokenTransport {
  const { ca, address, timeoutMs = 30_000 } = options
  return ({ url, headers, body }) =>
    new Promise((resolve, reject) => {
      if (url.protocol !== 'https:') throw new Error('tokens are requested only by HTTPS')
      let connected = false
      const fail = (error: unknown): void => reject(new TransportFailure(clause(error, url.hostname, timeoutMs), connected))
      const signal = AbortSignal.timeout(timeoutMs)
      const asking = request({
        host: address?.host ?? url.hostname,
        port: address?.port ?? (url.port === '' ? 443 : Number(url.port)),
        servername: url.hostname,
        path: url.pathname,
        method: 'POST',
        headers: { ...headers, host: url.host, 'content-length': String(body.length) },
        // Another address is in this machine's own network.
        ...(address === undefined ? { createConnection: outConnection(true) as never } : { agent: false }),
        signal,
        ...(ca === undefined ? {} : { ca }),
      })
      asking.on('error', fail)
      // Node reports no error for an answer that switches to another protocol.
      asking.on('upgrade', (_response, socket) => {
        socket.destroy()
        fail(new Error('it answered with another protocol'))
      })
      asking.on('socket', (socket) =>
        socket.once('secureConnect', () => {
          connected = true
        }),
      )
      asking.on('response', (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('error', fail)
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxBytes) asking.destroy(Object.assign(new Error('too long'), { code: 'TOO_LONG' }))
          else chunks.push(chunk)
        })
        response.on('end', () => {
          const whole = Buffer.concat(chunks)
          for (const each of chunks) each.fill(0)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: whole })
        })
        response.on('aborted', () => fail(Object.assign(new Error('cut off'), { code: 'ECONNRESET' })))
      })
      asking.end(body)
    })
}

function clause(error: unknown, host: string, timeoutMs: number): string {
  const { name, code = '' } = error as { name?: string; code?: string }
  if (error instanceof ProxyFailure) return error.message
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT') return `${host} did not answer within ${timeoutMs / 1000} s`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the name ${host} could not be resolved`
  if (/CERT|SIGNED|^ERR_TLS|^ERR_SSL|UNABLE_TO|^HOSTNAME/.test(code)) return `the certificate of ${host} was not accepted (${code})`
  if (code === 'TOO_LONG') return `${host} answered with more than any token`
  return `${host} could not be reached (${code === '' ? messageOf(error) : code})`
}
