import path from 'node:path'
import * as z from 'zod'
import type { HostLogin, LoginPlace } from '../../credentials/agent-login.ts'
import type { LoginDocument, LoginFormat } from '../../credentials/format.ts'
import { badDocument, readDocument } from '../../credentials/login-document.ts'
import { timeOf, tokenOf } from '../../credentials/token-text.ts'
import { vendorClients } from '../vendor-clients.ts'

const entry = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('api'), key: z.string() }),
  z.looseObject({
    type: z.literal('oauth'),
    access: z.string(),
    refresh: z.string(),
    expires: z.number(),
    accountId: z.string().optional(),
    enterpriseUrl: z.string().optional(),
  }),
  z.looseObject({ type: z.literal('wellknown'), key: z.string(), token: z.string() }),
])

/** The format of `auth.json` of opencode 1.18: one entry for each provider. */
const document: LoginDocument = {
  read(document, { source, name, warnings }) {
    const entries = Object.entries(document)
    const unknown: string[] = []
    const logins = entries.flatMap(([provider, value]): HostLogin[] => {
      const parsed = entry.safeParse(value)
      const login = parsed.success ? loginOf(provider, parsed.data) : null
      if (login === null) unknown.push(provider)
      return login === null ? [] : [{ ...login, source }]
    })
    if (logins.length === 0 && entries.length > 0) throw badDocument(name, 'contains no login of a kind that Paddock knows', opencodeLogin)
    const left = unknown.length === 0 ? [] : [`${name}: the entry of ${unknown.join(', ')} is of a kind that Paddock does not know`]
    return logins.map((each) => ({ ...each, warnings: [...warnings, ...left] }))
  },
  merge(document, provider, tokens) {
    const old = provider !== null && Object.hasOwn(document, provider) ? document[provider] : null
    if (provider === null || typeof old !== 'object' || old === null) return null
    const next = {
      ...old,
      access: tokens.access.text(),
      ...(tokens.refresh === null ? {} : { refresh: tokens.refresh.text() }),
      ...(tokens.expiresAt === null ? {} : { expires: tokens.expiresAt.getTime() }),
    }
    return { ...document, [provider]: next }
  },
}

/** The format of the CLI's stored login, and the way to renew it. */
export const opencodeLogin: LoginFormat = {
  agent: 'opencode',
  command: 'opencode auth login',
  read,
  document,
  async client({ provider }) {
    if (provider === 'anthropic') return vendorClients.anthropic
    return provider === 'openai' ? { ...vendorClients.openai, encoding: 'form' } : null
  },
  files: { file: '.local/share/opencode/auth.json', adds: true },
}

function loginOf(provider: string, stored: z.output<typeof entry>): Omit<HostLogin, 'source'> | null {
  const common = { agent: 'opencode', format: opencodeLogin, provider, account: null, expiresAt: null, refresh: null } as const
  const name = `opencode ${provider.slice(0, 60)}`
  if (stored.type === 'api') {
    const access = tokenOf(`${name} API key`, stored.key)
    return access === null ? null : { ...common, kind: 'key', access, facts: { type: 'api' } }
  }
  if (stored.type === 'wellknown') {
    const access = tokenOf(`${name} token`, stored.token)
    return access === null ? null : { ...common, kind: 'key', access, facts: { type: 'wellknown', key: stored.key } }
  }
  const { accountId, enterpriseUrl } = stored
  const access = tokenOf(`${name} access token`, stored.access)
  if (access === null) return null
  return {
    ...common,
    kind: 'subscription',
    account: accountId ?? null,
    expiresAt: timeOf(stored.expires),
    access,
    refresh: tokenOf(`${name} refresh token`, stored.refresh),
    facts: { type: 'oauth', ...(accountId === undefined ? {} : { accountId }), ...(enterpriseUrl === undefined ? {} : { enterpriseUrl }) },
  }
}

async function read({ home, env }: LoginPlace): Promise<readonly HostLogin[]> {
  const data = env['XDG_DATA_HOME']
  const directory = data !== undefined && path.isAbsolute(data) ? data : path.join(home, '.local/share')
  const file = path.join(directory, 'opencode', 'auth.json')
  const found = await readDocument(file, opencodeLogin)
  if (found === null) return []
  return document.read(found.value, { source: { kind: 'file', path: found.file }, name: file, warnings: found.warnings })
}
