import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import { httpsTransport, type TokenTransport } from '../../src/credentials/refresh/transport.ts'
import { makeIssuer } from '../../src/egress/inspect/tls/authority.ts'

/** An action for the next request, instead of the normal answer. */
export type Behaviour =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** Answers 200 with this body, without rotating the token. */
  | { readonly kind: 'body'; readonly body: string }
  /** Rotates the token, but closes the connection without an answer. */
  | { readonly kind: 'lose' }
  /** Reads the request and never answers. */
  | { readonly kind: 'hang' }
  /** Answers normally after a delay. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Answers normally, with another Date. */
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
  /** Lifetime of access tokens; 8 h by default. */
  readonly lifetimeS?: number
  /** False for Google, which keeps the refresh token; all others rotate it. */
  readonly rotates?: boolean
  /** Whether answers contain the seconds until the access token expires; true by default. */
  readonly tellsLifetime?: boolean
  /** The format of errors: RFC, or that of auth.openai.com. */
  readonly errors?: 'rfc' | 'openai'
}

/**
 * An OAuth token endpoint on loopback for any host name, with its own CA. Refresh tokens are valid once. A second use is refused and
 * revokes the whole family (RFC 9700 section 4.14.2). Access tokens are unsigned JSON Web Tokens with an expiry.
 */
export interface OAuthServer extends AsyncDisposable {
  readonly port: number
  /** The CA, PEM. */
  readonly ca: string
  readonly seen: readonly SeenRefresh[]
  /** Starts a family, like a login. The access token expires after `seconds` (may be negative). */
  login(seconds: number): IssuedTokens
  /** Returns the newest tokens of the family of this token; null: it was revoked, or has no family. */
  newest(token: string): IssuedTokens | null
  next(...behaviours: readonly Behaviour[]): void
  /** Returns a transport that connects every host name to this server. */
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

/** Returns a JSON Web Token (RFC 7519) with an invalid signature. */
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
