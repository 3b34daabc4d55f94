import path from 'node:path'
import * as z from 'zod'
import { badDocument, readDocument } from '../document.ts'
import type { LoginFormat } from '../format.ts'
import type { HostLogin, LoginPlace } from '../login.ts'
import { claimsOf, timeOf, tokenOf } from '../token-text.ts'

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

/** The kinds of login that `auth.json` of codex 0.169 names and that are understood here. */
const modes = new Set(['apikey', 'chatgpt', 'ApiKey', 'Chatgpt'])
/** Claims that tell one token from another and stand for nothing else. */
const idClaims = new Set(['jti', 'at_hash', 'c_hash', 'nonce', 'sid', 'session_id', 'rat'])

/** `auth.json` of codex: an API key, or the tokens of a ChatGPT login whose end stands in the access token itself. */
export const codexFormat: LoginFormat = {
  agent: 'codex',
  read(document, { source, name, warnings }) {
    const parsed = stored.safeParse(document)
    if (!parsed.success) throw badDocument(name, `is not as codex writes it (${parsed.error.issues[0]?.path.join('.') ?? ''})`, 'codex')
    const { auth_mode, OPENAI_API_KEY: key, tokens, last_refresh } = parsed.data
    if (auth_mode != null && !modes.has(auth_mode))
      throw badDocument(name, 'holds a kind of login that this version of Paddock does not know', 'codex')
    const common = { agent: 'codex', provider: null, source, warnings } as const
    const broken = (): Error => badDocument(name, 'holds a token that no header field can carry', 'codex')
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

export async function readCodex({ home, env }: LoginPlace): Promise<readonly HostLogin[]> {
  const own = env['CODEX_HOME']
  const file = path.join(own === undefined || own === '' ? path.join(home, '.codex') : path.resolve(own), 'auth.json')
  const document = await readDocument(file, 'codex')
  if (document === null) return []
  return codexFormat.read(document.value, { source: { kind: 'file', path: document.file }, name: file, warnings: document.warnings })
}
