import path from 'node:path'
import * as z from 'zod'
import { readRegular } from '../../files/read-regular.ts'
import { badDocument, parseObject, readDocument } from '../document.ts'
import type { LoginFormat } from '../format.ts'
import type { HostLogin, LoginPlace } from '../login.ts'
import { claimsOf, timeOf, tokenOf } from '../token-text.ts'

const stored = z.looseObject({
  access_token: z.string().nullish(),
  refresh_token: z.string().nullish(),
  id_token: z.string().nullish(),
  expiry_date: z.number().nullish(),
  scope: z.string().nullish(),
  token_type: z.string().nullish(),
})

/** `oauth_creds.json` of Gemini CLI 0.61, as google-auth-library keeps credentials. */
export const geminiFormat: LoginFormat = {
  agent: 'gemini',
  read(document, { source, name, warnings }) {
    const parsed = stored.safeParse(document)
    if (!parsed.success) throw badDocument(name, `is not as gemini writes it (${parsed.error.issues[0]?.path.join('.') ?? ''})`, 'gemini')
    const { access_token, refresh_token, id_token, expiry_date, scope, token_type } = parsed.data
    if (access_token == null && refresh_token == null) {
      if (Object.keys(document).length === 0) return []
      throw badDocument(name, 'is not as gemini writes it (access_token)', 'gemini')
    }
    const access = tokenOf('gemini access token', access_token)
    if (access === null) throw badDocument(name, 'holds a token that no header field can carry', 'gemini')
    const idToken = tokenOf('gemini id token', id_token)
    const email = claimsOf(id_token)['email']
    return [
      {
        agent: 'gemini',
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

/** The file of the tokens, and what the CLI's settings say of them. */
export async function readGemini({ home, env }: LoginPlace): Promise<readonly HostLogin[]> {
  const own = env['GEMINI_CLI_HOME']
  const directory = path.join(own === undefined || own === '' ? home : path.resolve(own), '.gemini')
  const file = path.join(directory, 'oauth_creds.json')
  const document = await readDocument(file, 'gemini')
  if (document === null) return []
  const at = { source: { kind: 'file', path: document.file }, name: file, warnings: document.warnings } as const
  const [settings, accounts] = await Promise.all(['settings.json', 'google_accounts.json'].map((each) => plain(path.join(directory, each))))
  const auth = (settings?.['security'] as { auth?: { selectedType?: unknown } } | undefined)?.auth?.selectedType
  const active = accounts?.['active']
  return geminiFormat.read(document.value, at).map((each) => ({
    ...each,
    account: typeof active === 'string' ? active : each.account,
    facts: { ...each.facts, selectedType: typeof auth === 'string' ? auth : null },
  }))
}

/** A file without secrets; what cannot be read of it is not there. */
async function plain(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  const read = await readRegular(file, 1024 ** 2)
  return read.ok ? parseObject(read.bytes.toString('utf8')) : null
}
