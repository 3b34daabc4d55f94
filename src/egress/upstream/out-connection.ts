import { Agent, type RequestOptions } from 'node:https'
import { connect as connectTcp, isIP, type NetConnectOpts, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { trustedRoots } from '../inspect/tls/roots.ts'
import { wayOut } from './way-out.ts'

/** Milliseconds in which the proxy must have connected. */
const patienceMs = 30_000

interface Wanted {
  readonly host?: string | null | undefined
  readonly hostname?: string | null | undefined
  readonly port?: number | string | null | undefined
  readonly servername?: string | undefined
}

type Done = (error: Error | null, stream: Duplex) => void

/**
 * Returns the `createConnection` of a request (node:http, node:https, ws): it connects as the user configured (`wayOut`), and verifies
 * certificates against all roots that the user trusts. No address is judged: this is for hosts that the user has chosen.
 */
export function outConnection(tls: boolean): (options: RequestOptions, done: Done) => Socket | undefined {
  return (options, done) => {
    const { upstream, added } = wayOut()
    // The path is that of the request, not one of a socket.
    const { path: _, ...plain } = options
    const { host, port } = addressOf(options, tls)
    const own = 'ca' in options && options.ca !== undefined
    const secured: ConnectionOptions = {
      ...(plain as ConnectionOptions),
      ...(own || added().certificates.length === 0 ? {} : { secureContext: trustedRoots([]) }),
      servername: options.servername ?? (isIP(host) === 0 ? host : ''),
      host,
      port,
    }
    if (upstream === null || upstream.target(host, port, []) === null)
      return tls ? connectTls(secured) : connectTcp({ ...plain, host, port } as NetConnectOpts)
    upstream.connect(host, port, AbortSignal.timeout(patienceMs)).then(
      (socket) => {
        done(null, tls ? connectTls({ ...secured, socket }) : socket)
        // The socket is paused. By now the request listens to it.
        if (!tls) socket.resume()
      },
      (error: Error) => done(error, undefined as never),
    )
    return undefined
  }
}

function addressOf({ host, hostname, port }: Wanted, tls: boolean): { readonly host: string; readonly port: number } {
  const name = (hostname ?? host ?? 'localhost').replace(/^\[|\]$/g, '')
  return { host: name, port: Number(port ?? (tls ? 443 : 80)) }
}

/** An agent of HTTPS requests that connects as `outConnection` does. */
export class OutAgent extends Agent {
  override createConnection(options: RequestOptions, done?: Done): Duplex | null | undefined {
    return outConnection(true)(options, done ?? (() => undefined))
  }
}
