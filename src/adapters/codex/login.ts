import path from 'node:path'
import * as z from 'zod'
import type { HostLogin, LoginPlace } from '../../credentials/agent-login.ts'
import type { LoginDocument, LoginFormat } from '../../credentials/format.ts'
import { badDocument, readDocument } from '../../credentials/login-document.ts'
import { claimsOf, timeOf, tokenOf } from '../../credentials/token-text.ts'
import { vendorClients } from '../vendor-clients.ts'

const stored = z.looseObject({
  auth_mode: z.string().nullish(),
  OPENAI_API_KEY: z.string().nullish(),
  tokens: z
    .looseObject({
      id_token: z.string(),
      access_token: z.string(),
      refresh_token: z.string().nullish(),
      account_id: z.string().nullish(),
    })
    .nullish(),
  last_refresh: z.string().nullish(),
})

/** The supported kinds of login in the `auth.json` of codex 0.169. */
const modes = new Set(['apikey', 'chatgpt', 'ApiKey', 'Chatgpt'])
/** Claims that only distinguish one token from another. */
const idClaims = new Set(['jti', 'at_hash', 'c_hash', 'nonce', 'sid', 'session_id', 'rat'])

/** The format of codex's `auth.json`: an API key, or the tokens of a ChatGPT login. The access token itself contains its expiry. */
const document: LoginDocument = {
  read(document, { source, name, warnings }) {
    const parsed = stored.safeParse(document)
    if (!parsed.success) throw badDocument(name, `is not as codex writes it (${parsed.error.issues[0]?.path.join('.') ?? ''})`, codexLogin)
    const { auth_mode, OPENAI_API_KEY: key, tokens, last_refresh } = parsed.data
    if (auth_mode != null && !modes.has(auth_mode))
      throw badDocument(name, 'contains a kind of login that this version of Paddock does not know', codexLogin)
    const common = { agent: 'codex', format: codexLogin, provider: null, source, warnings } as const
    const broken = (): Error => badDocument(name, 'contains a token that no HTTP header can contain', codexLogin)
    if (tokens != null && tokens.access_token !== '') {
      const access = tokenOf('codex access token', tokens.access_token)
      if (access === null) throw broken()
      const claims = claimsOf(tokens.id_token)
      const idToken = tokenOf('codex id token', tokens.id_token)
      const email = claims['email']
      return [
        {
          ...common,
          kind: 'subscription',
          account: typeof email === 'string' ? email : (tokens.account_id ?? null),
          expiresAt: timeOf(claimsOf(tokens.access_token)['exp']),
          access,
          refresh: tokenOf('codex refresh token', tokens.refresh_token),
          facts: {
            auth_mode: auth_mode ?? 'chatgpt',
            account_id: tokens.account_id ?? null,
            last_refresh: last_refresh ?? null,
            claims: Object.fromEntries(Object.entries(claims).filter(([claim]) => !idClaims.has(claim))),
          },
          ...(idToken === null ? {} : { others: [idToken] }),
        },
      ]
    }
    if (key == null || key === '') return []
    const access = tokenOf('codex API key', key)
    if (access === null) throw broken()
    return [{ ...common, kind: 'key', account: null, expiresAt: null, access, refresh: null, facts: { auth_mode: 'apikey' } }]
  },
  merge(document, _provider, tokens, now) {
    const old = document['tokens']
    if (typeof old !== 'object' || old === null) return null
    const next = {
      ...old,
      access_token: tokens.access.text(),
      ...(tokens.refresh === null ? {} : { refresh_token: tokens.refresh.text() }),
      ...(tokens.idToken === null ? {} : { id_token: tokens.idToken.text() }),
    }
    return { ...document, tokens: next, last_refresh: now.toISOString() }
  },
}

/** The format of the CLI's stored login, and the way to renew it. */
export const codexLogin: LoginFormat = {
  agent: 'codex',
  command: 'codex login',
  read,
  document,
  client: async () => vendorClients.openai,
  files: { file: '.codex/auth.json' },
}

async function read({ home, env }: LoginPlace): Promise<readonly HostLogin[]> {
  const own = env['CODEX_HOME']
  const file = path.join(own === undefined || own === '' ? path.join(home, '.codex') : path.resolve(own), 'auth.json')
  const found = await readDocument(file, codexLogin)
  if (found === null) return []
  return document.read(found.value, { source: { kind: 'file', path: found.file }, name: file, warnings: found.warnings })
}
