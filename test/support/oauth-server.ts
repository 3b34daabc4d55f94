import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import { httpsTransport, type TokenTransport } from '../../src/credentials/refresh/transport.ts'
import { makeIssuer } from '../../src/egress/inspect/tls/authority.ts'

/** What the server does with the next request in place of answering it by the book. */
export type Behaviour =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** Answers 200 with this, and rotates nothing. */
  | { readonly kind: 'body'; readonly body: string }
  /** Rotates the token, and cuts the connection in place of the answer. */
  | { readonly kind: 'lose' }
  /** Reads the request, and never answers. */
  | { readonly kind: 'hang' }
  /** By the book, after a while. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** By the book, with another Date. */
  | { readonly kind: 'date'; readonly date: Date }

export interface SeenRefresh {
  readonly host: string
  readonly path: string
  readonly contentType: string
  readonly fields: Readonly<Record<string, string>>
}

export interface IssuedTokens {
  readonly access: string
  readonly refresh: string
  readonly id: string
  readonly expiresAt: Date
}

export interface OAuthServerOptions {
  /** Of access tokens; 8 h by default. */
  readonly lifetimeS?: number
  /** Google keeps the refresh token; everybody else rotates it. */
  readonly rotates?: boolean
  /** Whether answers say in how many seconds the access token ends; true by default. */
  readonly tellsLifetime?: boolean
  /** Errors as auth.openai.com shapes them. */
  readonly errors?: 'rfc' | 'openai'
}

/**
 * An OAuth token endpoint on the loopback, for any host name, under an authority of its own. Refresh tokens are good for one use: another
 * use is refused and ends the whole family, as RFC 9700 section 4.14.2 has it. Access tokens are unsigned JSON Web Tokens with an end.
 */
export interface OAuthServer extends AsyncDisposable {
  readonly port: number
  /** PEM. */
  readonly ca: string
  readonly seen: readonly SeenRefresh[]
  /** Begins a family, as a login does. The access token ends after `seconds` (may be negative). */
  login(seconds: number): IssuedTokens
  /** The newest tokens of the family that this token belongs to; null: it was revoked, or is of none. */
  newest(token: string): IssuedTokens | null
  next(...behaviours: readonly Behaviour[]): void
  /** A transport that leads every host name here. */
  transport(timeoutMs?: number): TokenTransport
}

interface Family {
  readonly tokens: IssuedTokens[]
  revoked: boolean
}

export async function startOAuthServer(options: OAuthServerOptions = {}): Promise<OAuthServer> {
  const { lifetimeS = 8 * 3600, rotates = true, tellsLifetime = true, errors = 'rfc' } = options
  const issuer = makeIssuer(['*'])
  const families: Family[] = []
  const seen: SeenRefresh[] = []
  const queue: Behaviour[] = []

  const issue = (seconds: number, refresh?: string): IssuedTokens => {
    const expiresAt = new Date((Math.floor(Date.now() / 1000) + seconds) * 1000)
    const claims = { exp: expiresAt.getTime() / 1000, email: 'person@mail.example', jti: randomBytes(9).toString('hex') }
    const random = (name: string): string => `${name}-${randomBytes(18).toString('hex')}`
    return { access: jwt(claims), refresh: refresh ?? random('refresh'), id: jwt({ ...claims, aud: 'client' }), expiresAt }
  }
  const familyOf = (token: string): Family | undefined =>
    families.find(({ tokens }) => tokens.some((each) => each.refresh === token || each.access === token))

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fields = fieldsOf(String(request.headers['content-type']), await textOf(request))
    seen.push({
      host: request.headers.host ?? '',
      path: request.url ?? '',
      contentType: request.headers['content-type'] ?? '',
      fields,
    })
    const behaviour = queue.shift()
    const send = (status: number, body: string, headers: Record<string, string> = {}): void => {
      if (behaviour?.kind === 'date') response.setHeader('date', behaviour.date.toUTCString())
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    }
    if (behaviour?.kind === 'hang') return
    if (behaviour?.kind === 'slow') await sleep(behaviour.ms)
    if (behaviour?.kind === 'status') return send(behaviour.status, behaviour.body ?? '{}', behaviour.headers)
    if (behaviour?.kind === 'body') return send(200, behaviour.body)
    const posted = fields['refresh_token'] ?? ''
    const family = familyOf(posted)
    const newest = family?.tokens.at(-1)
    if (family === undefined || newest === undefined || family.revoked || newest.refresh !== posted) {
      if (family !== undefined) family.revoked = true
      if (errors === 'openai') return send(401, JSON.stringify({ error: { code: 'refresh_token_reused', message: `no ${posted}` } }))
      return send(400, JSON.stringify({ error: 'invalid_grant', error_description: `no ${posted}` }))
    }
    const fresh = issue(lifetimeS, rotates ? undefined : posted)
    family.tokens.push(fresh)
    if (behaviour?.kind === 'lose') return void request.socket.destroy()
    const { access, refresh, id } = fresh
    const body = { token_type: 'Bearer', access_token: access, id_token: id, scope: fields['scope'] ?? '' }
    const more = { ...(tellsLifetime ? { expires_in: lifetimeS } : {}), ...(rotates ? { refresh_token: refresh } : {}) }
    send(200, JSON.stringify({ ...body, ...more }))
  }

  const server = createServer({
    ...issuer.issue('unnamed.example'),
    SNICallback: (host, done) => done(null, createSecureContext(issuer.issue(host))),
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => request.socket.destroy())
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    ca: issuer.certificate,
    seen,
    login(seconds) {
      const first = issue(seconds)
      families.push({ tokens: [first], revoked: false })
      return first
    },
    newest(token) {
      const family = familyOf(token)
      return family === undefined || family.revoked ? null : (family.tokens.at(-1) ?? null)
    },
    next: (...behaviours) => void queue.push(...behaviours),
    transport: (timeoutMs = 5_000) => httpsTransport({ ca: issuer.certificate, address: { host: '127.0.0.1', port }, timeoutMs }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A JSON Web Token (RFC 7519) with a signature that is none. */
export function jwt(claims: object): string {
  const part = (each: object): string => Buffer.from(JSON.stringify(each)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.${part({})}`
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

function fieldsOf(contentType: string, text: string): Record<string, string> {
  return contentType.startsWith('application/json')
    ? (JSON.parse(text) as Record<string, string>)
    : Object.fromEntries(new URLSearchParams(text))
}
