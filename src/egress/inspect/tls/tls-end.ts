import type { Socket } from 'node:net'
import { createSecureContext, createServer, type SecureContext, type TLSSocket } from 'node:tls'
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
export function tlsEnd(authority: CellAuthority, handshakeMs: number): (client: Socket) => Promise<TLSSocket> {
  const contexts = new Map<string, SecureContext>()
  const waiting = new Map<string, (socket: TLSSocket) => void>()
  const contextOf = (name: string): SecureContext => {
    let context = contexts.get(name)
    if (context === undefined) {
      if (contexts.size >= maxContexts) contexts.delete(contexts.keys().next().value ?? '')
      context = createSecureContext({ ...authority.leaf(name), minVersion: 'TLSv1.2' })
      contexts.set(name, context)
    }
    return context
  }
  // The server never listens: connections are passed to it. Without a default certificate it serves only the names that clients request.
  const server = createServer({
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
  server.on('secureConnection', (secured) => {
    const found = waiting.get(endsOf(secured))
    const broken = () => void secured.destroy()
    guarded(() => (found === undefined ? broken() : found(secured)), broken)()
  })
  server.on('tlsClientError', () => {})

  return (client) => {
    const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
    const ends = endsOf(client)
    let why = 'the client ended the TLS handshake'
    const onError = (error: Error) => {
      why = `TLS: ${messageOf(error)}`
    }
    const onClose = () => {
      waiting.delete(ends)
      reject(new RefusedError({ reason: 'malformed', detail: why }))
    }
    waiting.set(ends, (secured) => {
      waiting.delete(ends)
      client.off('close', onClose).off('error', onError)
      resolve(secured)
    })
    client.on('error', onError).once('close', onClose)
    server.emit('connection', client)
    return promise
  }
}

/** Returns the addresses and ports of both ends, which are unique among open connections. */
function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`
}
