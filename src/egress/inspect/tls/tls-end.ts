import type { Duplex } from 'node:stream'
import { createSecureContext, createServer, type SecureContext, type Server, type TLSSocket } from 'node:tls'
import { messageOf } from '../../../base/errors.ts'
import { RefusedError } from '../../http/http-guard.ts'
import { guarded } from '../guarded.ts'
import type { CellAuthority } from './authority.ts'

/** Maximum number of cached certificates. */
const maxContexts = 1_000

/**
 * Returns a function that terminates TLS on a paused client whose ClientHello has been read and pushed back. It offers HTTP/2 and
 * HTTP/1.1, and rejects with `RefusedError` if the handshake is not complete within `handshakeMs`.
 */
export function tlsEnd(authority: CellAuthority, handshakeMs: number): (client: Duplex) => Promise<TLSSocket> {
  const contexts = new Map<string, SecureContext>()
  const contextOf = (name: string): SecureContext => {
    let context = contexts.get(name)
    if (context === undefined) {
      if (contexts.size >= maxContexts) contexts.delete(contexts.keys().next().value ?? '')
      context = createSecureContext({ ...authority.leaf(name), minVersion: 'TLSv1.2' })
      contexts.set(name, context)
    }
    return context
  }
  // A server never listens: connections are passed to it. Without a default certificate it serves only the names that clients request.
  const newServer = () =>
    createServer({
      ALPNProtocols: ['h2', 'http/1.1'],
      minVersion: 'TLSv1.2',
      handshakeTimeout: handshakeMs,
      SNICallback(name, done) {
        try {
          done(null, contextOf(name.toLowerCase()))
        } catch (error) {
          done(error as Error)
        }
      },
    })
  // A server does not tell which client it has secured, so it makes one handshake at a time.
  const idle: Server[] = []

  return (client) => {
    const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
    const server = idle.pop() ?? newServer()
    let why = 'the client ended the TLS handshake'
    const over = () => {
      server.removeAllListeners('secureConnection').removeAllListeners('tlsClientError')
      client.off('close', onClose).off('error', onError)
      idle.push(server)
    }
    const onError = (error: Error) => {
      why = `TLS: ${messageOf(error)}`
      client.destroy()
    }
    const onClose = () => {
      over()
      reject(new RefusedError({ reason: 'malformed', detail: why }))
    }
    server.on('tlsClientError', onError)
    server.once('secureConnection', (secured) =>
      guarded(
        () => {
          over()
          resolve(secured)
        },
        () => void secured.destroy(),
      )(),
    )
    client.on('error', onError).once('close', onClose)
    server.emit('connection', client)
    return promise
  }
}
