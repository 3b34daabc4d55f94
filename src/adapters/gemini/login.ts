import path from 'node:path'
import * as z from 'zod'
import type { HostLogin, LoginPlace } from '../../credentials/agent-login.ts'
import type { LoginDocument, LoginFormat } from '../../credentials/format.ts'
import { badDocument, parseObject, readDocument } from '../../credentials/login-document.ts'
import { claimsOf, timeOf, tokenOf } from '../../credentials/token-text.ts'
import { readRegular } from '../../files/read-regular.ts'
import { findProgram } from '../../system/program-in-path.ts'
import { searchPath } from '../locate.ts'
import { installedClient } from './installed-client.ts'

const stored = z.looseObject({
  access_token: z.string().nullish(),
  refresh_token: z.string().nullish(),
  id_token: z.string().nullish(),
  expiry_date: z.number().nullish(),
  scope: z.string().nullish(),
  token_type: z.string().nullish(),
})

/** The format of `oauth_creds.json` of Gemini CLI 0.61, which is the credentials format of google-auth-library. */
const document: LoginDocument = {
  read(document, { source, name, warnings }) {
    const parsed = stored.safeParse(document)
    if (!parsed.success)
      throw badDocument(name, `is not as gemini writes it (${parsed.error.issues[0]?.path.join('.') ?? ''})`, geminiLogin)
    const { access_token, refresh_token, id_token, expiry_date, scope, token_type } = parsed.data
    if (access_token == null && refresh_token == null) {
      if (Object.keys(document).length === 0) return []
      throw badDocument(name, 'is not as gemini writes it (access_token)', geminiLogin)
    }
    const access = tokenOf('gemini access token', access_token)
    if (access === null) throw badDocument(name, 'contains a token that no HTTP header can contain', geminiLogin)
    const idToken = tokenOf('gemini id token', id_token)
    const email = claimsOf(id_token)['email']
    return [
      {
        agent: 'gemini',
        format: geminiLogin,
        provider: null,
        kind: 'subscription',
        source,
        account: typeof email === 'string' ? email : null,
        expiresAt: timeOf(expiry_date),
        access,
        refresh: tokenOf('gemini refresh token', refresh_token),
        facts: { scope: scope ?? null, token_type: token_type ?? 'Bearer' },
        ...(idToken === null ? {} : { others: [idToken] }),
        warnings,
      },
    ]
  },
  merge: (document, _provider, tokens) => ({
    ...document,
    access_token: tokens.access.text(),
    ...(tokens.refresh === null ? {} : { refresh_token: tokens.refresh.text() }),
    ...(tokens.idToken === null ? {} : { id_token: tokens.idToken.text() }),
    ...(tokens.expiresAt === null ? {} : { expiry_date: tokens.expiresAt.getTime() }),
  }),
}

/** The format of the CLI's stored login, and the way to renew it. */
export const geminiLogin: LoginFormat = {
  agent: 'gemini',
  command: 'gemini (and choose "Login with Google")',
  read,
  document,
  async client(_login, { home, env }) {
    const program = findProgram('gemini', searchPath(env['PATH'] ?? '', home).join(path.delimiter))
    const client = program === null ? null : await installedClient(program)
    return client === null ? null : { url: 'https://oauth2.googleapis.com/token', ...client, encoding: 'form' }
  },
  files: { file: '.gemini/oauth_creds.json', account: { path: '.gemini/google_accounts.json', keys: ['active'] } },
}

/** Reads the token file and the login settings of the CLI. */
async function read({ home, env }: LoginPlace): Promise<readonly HostLogin[]> {
  const own = env['GEMINI_CLI_HOME']
  const directory = path.join(own === undefined || own === '' ? home : path.resolve(own), '.gemini')
  const file = path.join(directory, 'oauth_creds.json')
  const found = await readDocument(file, geminiLogin)
  if (found === null) return []
  const at = { source: { kind: 'file', path: found.file }, name: file, warnings: found.warnings } as const
  const [settings, accounts] = await Promise.all(['settings.json', 'google_accounts.json'].map((each) => plain(path.join(directory, each))))
  const auth = (settings?.['security'] as { auth?: { selectedType?: unknown } } | undefined)?.auth?.selectedType
  const active = accounts?.['active']
  return document.read(found.value, at).map((each) => ({
    ...each,
    account: typeof active === 'string' ? active : each.account,
    facts: { ...each.facts, selectedType: typeof auth === 'string' ? auth : null },
  }))
}

/** Reads a file that contains no secrets. Null if it cannot be read. */
async function plain(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  const read = await readRegular(file, 1024 ** 2)
  return read.ok ? parseObject(read.bytes.toString('utf8')) : null
}
