import type { Socket } from 'node:net'
import { type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { messageOf } from '../../../base/errors.ts'
import { reset } from '../../connection/reset.ts'
import { RefusedError } from '../../http/http-guard.ts'

/** Starts TLS on an open connection. The certificate must match the name and its issuer must be trusted. Rejects with `RefusedError`. */
export function secure(
  socket: Socket,
  options: {
    readonly host: string
    readonly protocols: readonly string[]
    readonly roots: SecureContext
    readonly signal: AbortSignal
  },
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  const { host, protocols, roots, signal } = options
  const secured = tlsConnect({ socket, servername: host, ALPNProtocols: [...protocols], secureContext: roots, rejectUnauthorized: true })
  const fail = (error: NodeJS.ErrnoException) => {
    signal.removeEventListener('abort', late)
    const untrusted = secured.authorizationError !== null && secured.authorizationError !== undefined
    reject(new RefusedError({ reason: untrusted ? 'bad-certificate' : 'unreachable', detail: messageOf(error) }))
    secured.destroy()
    reset(socket)
  }
  const late = () => fail(new Error('no TLS handshake in time'))
  secured.on('error', fail)
  secured.once('close', () => fail(new Error('the host ended the TLS handshake')))
  secured.once('secureConnect', () => {
    signal.removeEventListener('abort', late)
    secured.off('error', fail)
    resolve(secured)
  })
  signal.addEventListener('abort', late, { once: true })
  return promise
}
