import type { Secret } from '../../secrets/secret.ts'
import type { HostLogin } from '../login.ts'
import type { TokenRequest } from './transport.ts'

/** The OAuth client as which an agent's CLI refreshes (RFC 6749, section 6). */
export interface OAuthClient {
  readonly url: string
  readonly id: string
  readonly secret: Secret | null
  readonly encoding: 'json' | 'form'
}

/** Google's kind of client for installed programs has a secret that is none; it is taken out of the CLI on this machine, see installed-client.ts. */
export type InstalledClient = () => Promise<{ readonly id: string; readonly secret: Secret } | null>

/*
 * Read out of the programs themselves (claude 2.1.330, codex 0.169, gemini 0.61, opencode 1.18). None was tried against the real
 * service: what is tested is that these requests are made, and what becomes of the answers.
 */
const claude = { url: 'https://platform.claude.com/v1/oauth/token', id: '9d1c250a-e61b-44d9-88ed-5944d1962f5e', secret: null } as const
const openai = { url: 'https://auth.openai.com/oauth/token', id: 'app_EMoamEEZ73f0CkXaXp7hrann', secret: null } as const

/** The client that a login belongs to; null: Paddock cannot refresh it. */
export async function clientOf(login: HostLogin, installed: InstalledClient | undefined): Promise<OAuthClient | null> {
  switch (login.agent) {
    case 'claude': {
      const own = login.facts['clientId']
      return { ...claude, encoding: 'json', ...(typeof own === 'string' ? { id: own } : {}) }
    }
    case 'codex':
      return { ...openai, encoding: 'json' }
    case 'gemini': {
      const client = (await installed?.()) ?? null
      return client === null ? null : { url: 'https://oauth2.googleapis.com/token', ...client, encoding: 'form' }
    }
    case 'opencode':
      if (login.provider === 'anthropic') return { ...claude, encoding: 'json' }
      return login.provider === 'openai' ? { ...openai, encoding: 'form' } : null
    default:
      return null
  }
}

/** The request that refreshes a login. Its body holds the refresh token: whoever sends it zeroes it. */
export function refreshRequest(login: HostLogin, client: OAuthClient): TokenRequest {
  const scopes = login.agent === 'claude' ? login.facts['scopes'] : undefined
  const fields: Record<string, string> = {
    grant_type: 'refresh_token',
    refresh_token: login.refresh?.text() ?? '',
    client_id: client.id,
    ...(client.secret === null ? {} : { client_secret: client.secret.text() }),
    ...(Array.isArray(scopes) && scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
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
