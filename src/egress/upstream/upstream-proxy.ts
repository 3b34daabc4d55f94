import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { messageOf } from '../../base/errors.ts'
import { Secret } from '../../secrets/secret.ts'
import { connectTcp, type UpstreamProxy } from '../connection/dial.ts'
import { trustedRoots } from '../inspect/tls/roots.ts'
import { bypassesProxy } from './no-proxy.ts'
import { askProxy, ProxyFailure } from './proxy-handshake.ts'
import type { UpstreamSettings } from './upstream-settings.ts'

export interface UpstreamMeans {
  /** Returns the secret USER:PASSWORD for a reference, which stays with the caller. Rejects with a PaddockError. */
  readonly login: (reference: string) => Promise<Secret>
}

/** Returns the proxy of the settings; null: they name none. */
export function openUpstream(settings: UpstreamSettings, means: UpstreamMeans): UpstreamProxy | null {
  const { proxy, noProxy, auth } = settings
  if (proxy === null) return null
  const { shown, tls, host: proxyHost, port: proxyPort, login } = proxy.value
  // Both are redacted in all output from now on.
  const ofUrl = login === null ? null : Secret.fromText(proxy.place, login)
  if (login?.endsWith(':') === false) Secret.fromText(proxy.place, login.slice(login.indexOf(':') + 1))
  const authorization = async (): Promise<string | null> => {
    const secret = auth === null ? ofUrl : await means.login(auth)
    return secret?.use((bytes) => `Basic ${bytes.toString('base64')}`) ?? null
  }
  const reach = async (signal: AbortSignal): Promise<Socket> => {
    try {
      return tls ? await overTls(proxyHost, proxyPort, signal) : await overTcp(proxyHost, proxyPort, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw new ProxyFailure(`the proxy ${shown} cannot be reached (${messageOf(error)})`)
    }
  }
  return {
    shown,
    target(host, port, addresses) {
      const known = addresses.map((each) => each.address)
      if (bypassesProxy(noProxy.value, host, port, known)) return null
      const [first = { address: '', family: 4 as const }] = addresses
      return { ...first, port, viaProxy: host }
    },
    async connect(host, port, signal) {
      const value = await authorization()
      const socket = await reach(signal)
      await askProxy(socket, { proxy: shown, host, port, authorization: value }, signal)
      return socket
    },
  }
}

/** Connects to the proxy itself, whose name the user has chosen and whose address may be internal. */
async function overTcp(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const family = isIP(host)
  if (family !== 0) return connectTcp({ address: host, family: family === 6 ? 6 : 4, port }, signal)
  const found = await process.getBuiltinModule('node:dns/promises').lookup(host, { all: true })
  let failure: unknown
  for (const each of found) {
    try {
      return await connectTcp({ address: each.address, family: each.family === 6 ? 6 : 4, port }, signal)
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  throw failure
}

async function overTls(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = await overTcp(host, port, signal)
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const secured = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    secureContext: trustedRoots([]),
    rejectUnauthorized: true,
  })
  // Node can reset only a TCP socket. Closing both is the effect for those who use the one over TLS (`reset`).
  secured.resetAndDestroy = () => {
    socket.resetAndDestroy()
    return secured.destroy()
  }
  const stop = (): void => void secured.destroy(new Error('aborted'))
  signal.addEventListener('abort', stop, { once: true })
  secured.once('secureConnect', () => resolve(secured)).on('error', reject)
  secured.once('close', () => {
    signal.removeEventListener('abort', stop)
    socket.destroy()
    reject(new Error('it closed the connection'))
  })
  return promise
}
