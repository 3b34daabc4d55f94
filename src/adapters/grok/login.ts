import path from 'node:path'
import type { HostLogin, LoginPlace } from '../../credentials/agent-login.ts'
import type { LoginFormat } from '../../credentials/format.ts'
import { badDocument, type JsonObject, readDocument } from '../../credentials/login-document.ts'
import { claimsOf, timeOf, tokenOf } from '../../credentials/token-text.ts'

const names = {
  access: ['access_token', 'accessToken', 'access', 'token'],
  refresh: ['refresh_token', 'refreshToken', 'refresh'],
  key: ['api_key', 'apiKey', 'key', 'XAI_API_KEY'],
  expiry: ['expires_at', 'expiresAt', 'expires', 'expiry_date', 'expiry'],
  account: ['email', 'account', 'account_id', 'user_id'],
}

/** The format of the CLI's stored login. Paddock never renews it. */
export const grokLogin: LoginFormat = { agent: 'grok', command: 'grok login', read, files: { file: '.grok/auth.json' } }

/**
 * Reads grok's `auth.json`. Its format is not known, so names that other CLIs use are searched for in it, and one level deeper. It is
 * never written back and never refreshed here.
 */
async function read({ home, env }: LoginPlace): Promise<readonly HostLogin[]> {
  const own = env['GROK_HOME']
  const file = path.join(own === undefined || own === '' ? path.join(home, '.grok') : path.resolve(own), 'auth.json')
  const found = await readDocument(file, grokLogin)
  if (found === null || Object.keys(found.value).length === 0) return []
  const nested = Object.values(found.value).filter((each): each is JsonObject => typeof each === 'object' && each !== null)
  for (const each of [found.value, ...nested]) {
    const login = loginIn(each, found.file, found.warnings)
    if (login !== null) return [login]
  }
  throw badDocument(file, 'contains no login that Paddock recognises (the format of grok has not been tested)', grokLogin)
}

function loginIn(from: JsonObject, file: string, warnings: readonly string[]): HostLogin | null {
  const pick = (field: keyof typeof names): unknown => names[field].map((name) => from[name]).find((value) => value != null)
  const token = tokenOf('grok access token', pick('access'))
  const access = token ?? tokenOf('grok API key', pick('key'))
  if (access === null) return null
  const account = pick('account')
  const expiry = pick('expiry')
  return {
    agent: 'grok',
    format: grokLogin,
    provider: null,
    kind: token === null ? 'key' : 'subscription',
    source: { kind: 'file', path: file },
    account: typeof account === 'string' ? account : null,
    expiresAt: (typeof expiry === 'string' ? timeOf(Date.parse(expiry)) : timeOf(expiry)) ?? timeOf(claimsOf(pick('access'))['exp']),
    access,
    refresh: token === null ? null : tokenOf('grok refresh token', pick('refresh')),
    facts: { tried: false },
    warnings,
  }
}
