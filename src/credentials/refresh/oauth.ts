import type { Secret } from '../../secrets/secret.ts'
import type { HostLogin } from '../agent-login.ts'
import type { TokenRequest } from './transport.ts'

/** The OAuth client as which an agent's CLI refreshes its login (RFC 6749, section 6). */
export interface OAuthClient {
  readonly url: string
  readonly id: string
  readonly secret: Secret | null
  readonly encoding: 'json' | 'form'
  /** The scopes to request, separated by spaces; absent: no scope is requested. */
  readonly scope?: string
}

/** Returns the request that refreshes a login. Its body contains the refresh token, and the sender must zero it. */
export function refreshRequest(login: Pick<HostLogin, 'refresh'>, client: OAuthClient): TokenRequest {
  const fields: Record<string, string> = {
    grant_type: 'refresh_token',
    refresh_token: login.refresh?.text() ?? '',
    client_id: client.id,
    ...(client.secret === null ? {} : { client_secret: client.secret.text() }),
    ...(client.scope === undefined ? {} : { scope: client.scope }),
  }
  const json = client.encoding === 'json'
  return {
    url: new URL(client.url),
    headers: {
      'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'user-agent': 'paddock',
    },
    body: Buffer.from(json ? JSON.stringify(fields) : new URLSearchParams(fields).toString()),
  }
}
