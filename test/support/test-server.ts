import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import path from 'node:path'
import type { Role, Tokens } from '../../src/fleet/store/token-store.ts'
import { buildApp } from '../../src/server/app.ts'
import { type ListenOptions, listen } from '../../src/server/listen.ts'
import type { AppDeps, Change } from '../../src/server/server-deps.ts'
import { serverLog } from '../../src/server/server-log.ts'
import { eventsInMemory, type GrowingLog } from './events-in-memory.ts'
import { temporary } from './temporary.ts'
import { tokensInMemory } from './tokens-in-memory.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every route
  readonly json: any
}

export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: unknown
}

export interface Upgrade {
  readonly status: number
  readonly socket: Socket
}

export interface TestServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly socket: string
  readonly tokens: Tokens
  readonly events: GrowingLog
  readonly changes: readonly Change[]
  /** Returns everything that was logged. */
  readonly logged: () => string
  /** The secret of one token per role. */
  readonly secrets: Readonly<Record<Role, string>>
  /** Sends a request over TCP. */
  ask(path: string, asking?: Asking): Promise<Answer>
  /** Sends a request over the Unix socket. */
  askSocket(path: string, asking?: Asking): Promise<Answer>
  /** Requests a WebSocket. The frames are read from its socket. */
  upgrade(path: string, protocols: readonly string[], headers?: Readonly<Record<string, string>>): Promise<Upgrade>
  /** Resolves when this many streams are open. */
  streams(open: number): Promise<void>
  /** Logs a browser in with a login link, and returns the headers that its page sends. */
  logIn(role?: Role): Promise<{ readonly cookie: string; readonly 'x-paddock-session': string }>
}

/** Starts a real server on loopback and a Unix socket. */
export async function testServer(deps: Partial<AppDeps> = {}, listening: Partial<ListenOptions> = {}): Promise<TestServer> {
  const tokens = deps.tokens ?? tokensInMemory()
  const events = eventsInMemory()
  const changes: Change[] = []
  const lines: string[] = []
  const app = buildApp({
    version: '0.0.0',
    tokens,
    events,
    log: serverLog('debug', { write: (line) => void lines.push(line) }),
    notReady: () => null,
    onChange: (change) => void changes.push(change),
    ...deps,
  })
  const directory = await temporary()
  const socket = directory.at('fleet', 'paddock.sock')
  const { url, close } = await listen(app, { tcp: { host: '127.0.0.1', port: 0 }, socket, ...listening })
  const secrets = Object.fromEntries(
    (['owner', 'operator', 'viewer', 'borrower'] as const).map((role) => [
      role,
      tokens.create({ name: role, role, expiresAt: null }).secret,
    ]),
  ) as Record<Role, string>
  const port = Number(new URL(url ?? '').port)
  const where = { host: '127.0.0.1', port }
  const server: TestServer = {
    url: url ?? '',
    port,
    socket,
    tokens,
    events,
    changes,
    secrets,
    logged: () => lines.join(''),
    ask: (target, asking) => ask(where, target, asking),
    // A relative path, which is short enough for a socket address however long the directory's path is.
    askSocket: (target, asking) => ask({ socketPath: path.relative(process.cwd(), socket) }, target, asking),
    upgrade: (target, protocols, headers) => upgrade(where, target, protocols, headers),
    streams: async (open) => {
      const count = async () =>
        (await server.ask('/metrics', { headers: bearer(secrets.viewer) })).text.match(/^paddock_open_streams (\d+)$/m)?.[1]
      while ((await count()) !== String(open)) await new Promise((resolve) => setImmediate(resolve))
    },
    logIn: async (role = 'owner') => {
      const { json } = await server.askSocket('/api/v1/login-links', { body: { role } })
      const { headers, json: session } = await server.ask('/api/v1/session', { body: { code: json.code } })
      return { cookie: (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '', 'x-paddock-session': session.half }
    },
    [Symbol.asyncDispose]: async () => {
      await close()
      await directory[Symbol.asyncDispose]()
    },
  }
  return server
}

/** Sends one request exactly as given, on a new connection. */
export function ask(
  where: { readonly host: string; readonly port: number } | { readonly socketPath: string },
  target: string,
  { method, headers = {}, body }: Asking = {},
): Promise<Answer> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...where,
        path: target,
        agent: false,
        method: method ?? (text === undefined ? 'GET' : 'POST'),
        headers: {
          ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
          ...(headers as Record<string, string | string[]>),
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const all = Buffer.concat(chunks).toString()
          const isJson = /json/.test(response.headers['content-type'] ?? '') && all !== ''
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: all, json: isJson ? JSON.parse(all) : undefined })
        })
      },
    )
    request.on('error', reject)
    request.end(text)
  })
}

export const bearer = (secret: string): { readonly authorization: string } => ({ authorization: `Bearer ${secret}` })

function upgrade(
  where: { readonly host: string; readonly port: number },
  target: string,
  protocols: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Upgrade> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      ...where,
      path: target,
      agent: false,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        ...(protocols.length === 0 ? {} : { 'sec-websocket-protocol': protocols.join(', ') }),
        ...headers,
      },
    })
    request.on('upgrade', (response, socket: Socket) => resolve({ status: response.statusCode ?? 0, socket }))
    request.on('response', (response) => resolve({ status: response.statusCode ?? 0, socket: response.socket }))
    request.on('error', reject)
    request.end()
  })
}
