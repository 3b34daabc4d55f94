import { chmodSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { PaddockError } from '../base/errors.ts'
import { isLoopback, loopbackSites, publicSites, type Site } from './access/sites.ts'
import { defaultTimeouts, serve, settingsOf, started, stopped, type Timeouts } from './connections.ts'
import type { App } from './server-deps.ts'
import { openSocketDirectory } from './socket-directory.ts'

export interface ListenOptions {
  /** The address and port of the TCP listener; port 0 means any free one. */
  readonly tcp?: { readonly host: string; readonly port: number }
  /** The path of a Unix socket (0600), whose peers are the owner. */
  readonly socket?: string
  /** The names by which others reach the server: `NAME` or `NAME:PORT`. */
  readonly public?: readonly string[]
  /** The certificate chain and key of the TCP listener, as PEM. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Whether a proxy in front of the TCP listener terminates TLS for the public names. */
  readonly tlsProxy?: boolean
  readonly timeouts?: Timeouts
}

export interface Listening extends AsyncDisposable {
  /** The URL for pages and tools; null without TCP. */
  readonly url: string | null
  readonly socket: string | null
  /** Accepts no more connections and ends streams. Resolves when all connections and the app are closed. */
  close(): Promise<void>
}

/**
 * Prepares the app and gives it connections, each marked with its listener. Addresses other than loopback require public names and TLS.
 * @throws PaddockError BAD_INPUT, CONFLICT if the port is taken, NOT_ALLOWED if others could reach the socket
 */
export async function listen(app: App, options: ListenOptions): Promise<Listening> {
  const named = publicSites(options.public ?? [])
  refuseOpen(options)
  await app.ready()
  const closing: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    // The app ends its streams. A server is closed once its connections are.
    const closed = closing.splice(0).map((each) => each())
    await app.close()
    await Promise.all(closed)
  }
  try {
    const url = options.tcp === undefined ? null : await listenTcp(app, options, options.tcp, named, closing)
    if (options.socket !== undefined) await listenUnix(app, options, options.socket, closing)
    return { url, socket: options.socket ?? null, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

function refuseOpen(options: ListenOptions): void {
  const { tcp, tls, tlsProxy } = options
  const isPublic = (options.public ?? []).length > 0
  if (isPublic && tls === undefined && tlsProxy !== true)
    throw new PaddockError('BAD_INPUT', '--public: tokens would cross the network as plain text.', {
      hint: 'Give a certificate with --tls-cert and --tls-key, or state with --tls-proxy that a proxy has one',
    })
  if (tcp !== undefined && !isLoopback(tcp.host) && !isPublic)
    throw new PaddockError('BAD_INPUT', `--listen ${tcp.host}: other machines can reach this address, and no public name is given.`, {
      hint: 'Listen on 127.0.0.1, or add --public NAME',
    })
}

async function listenTcp(
  app: App,
  options: ListenOptions,
  { host, port }: { readonly host: string; readonly port: number },
  named: readonly Site[],
  closing: (() => Promise<void>)[],
): Promise<string> {
  const { tls } = options
  const settings = settingsOf(options.timeouts ?? defaultTimeouts)
  const server =
    tls === undefined
      ? createServer(settings)
      : createTlsServer({ ...settings, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: settings.headersTimeout ?? 0 })
  let sites = named
  const open = serve(app, server, { over: 'tcp', sites: () => sites }, tls === undefined ? 'connection' : 'secureConnection')
  await started(server, { host, port }).catch((error: NodeJS.ErrnoException) => {
    throw new PaddockError(
      error.code === 'EADDRINUSE' ? 'CONFLICT' : 'BAD_INPUT',
      `--listen ${host}:${port}: cannot listen (${error.code}).`,
      {
        hint: 'Give another address, or port 0 for any free one',
        cause: error,
      },
    )
  })
  closing.push(() => stopped(server, open, (options.timeouts ?? defaultTimeouts).closeMs))
  const bound = server.address() as AddressInfo
  sites = [...loopbackSites(bound.address, bound.port, tls !== undefined), ...named]
  return `${(sites[0] as Site).origin}/`
}

async function listenUnix(app: App, options: ListenOptions, socket: string, closing: (() => Promise<void>)[]): Promise<void> {
  const directory = await openSocketDirectory(socket)
  closing.push(async () => directory[Symbol.dispose]())
  const server = createServer(settingsOf(options.timeouts ?? defaultTimeouts))
  const open = serve(app, server, { over: 'unix' }, 'connection')
  await started(server, { path: directory.address })
  // The directory is closed after its socket.
  closing.splice(-1, 1, () =>
    stopped(server, open, (options.timeouts ?? defaultTimeouts).closeMs).finally(() => directory[Symbol.dispose]()),
  )
  chmodSync(directory.address, 0o600)
}
