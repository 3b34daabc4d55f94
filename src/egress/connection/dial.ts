import type { Socket } from 'node:net'
import type { ResolvedAddress } from '../dns/resolver.ts'
import { connectRoomy } from './roomy-read.ts'

export interface Target extends ResolvedAddress {
  readonly port: number
  /** The host that the proxy of this machine connects to; absent: the address is dialled. With a proxy, the address may be empty. */
  readonly viaProxy?: string
}

/** Opens a TCP connection to a literal address, half-open allowed. Never called for a target of a proxy. On failure or an aborted signal, rejects and leaves nothing open. */
export type Connect = (target: Target, signal: AbortSignal) => Promise<Socket>

/** The proxy through which this machine reaches other hosts. */
export interface UpstreamProxy {
  /** The URL without a login. */
  readonly shown: string
  /**
   * Returns the target for a host that is reached through the proxy; null: connect directly. The proxy dials the name, because most
   * proxies permit hosts by name.
   * @param addresses those of the host, as this machine resolves it, after they were judged; empty: it does not resolve here.
   */
  target(host: string, port: number, addresses: readonly ResolvedAddress[]): Target | null
  /** Connects to a host through the proxy. Rejects with `ProxyFailure`, or with the reason of the signal. */
  connect(host: string, port: number, signal: AbortSignal): Promise<Socket>
}

/** Maximum number of addresses that are tried for one name. */
const maxTried = 8

export const connectTcp: Connect = (target, signal) => {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  if (signal.aborted) return Promise.reject(signal.reason)
  const socket = connectRoomy({
    host: target.address,
    port: target.port,
    family: target.family,
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
  })
  const stop = () => socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
  signal.addEventListener('abort', stop, { once: true })
  socket.once('error', reject)
  socket.once('connect', () => {
    signal.removeEventListener('abort', stop)
    socket.off('error', reject)
    socket.on('error', () => {})
    resolve(socket)
  })
  socket.once('close', () => signal.removeEventListener('abort', stop))
  return promise
}

/** Returns a function that connects to targets directly or through the proxy, as each of them says. */
export function connectBy({ connect, upstream }: { readonly connect: Connect; readonly upstream?: UpstreamProxy | null }): Connect {
  return (target, signal) =>
    target.viaProxy === undefined || !upstream ? connect(target, signal) : upstream.connect(target.viaProxy, target.port, signal)
}

/**
 * Tries the targets in order until one accepts. All attempts share `totalMs`; each gets a fair share of the remaining time, so that one
 * silent address does not use up the time of the others. Rejects with the last failure.
 */
export async function dial(
  targets: readonly Target[],
  options: { readonly connect: Connect; readonly totalMs: number; readonly signal: AbortSignal },
): Promise<{ readonly socket: Socket; readonly target: Target }> {
  const tried = targets.slice(0, maxTried)
  const deadline = Date.now() + options.totalMs
  let failure: unknown = new Error('no address to try')
  for (const [index, target] of tried.entries()) {
    options.signal.throwIfAborted()
    const share = Math.max(1, Math.ceil((deadline - Date.now()) / (tried.length - index)))
    try {
      const socket = await options.connect(target, AbortSignal.any([options.signal, AbortSignal.timeout(share)]))
      return { socket, target }
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
