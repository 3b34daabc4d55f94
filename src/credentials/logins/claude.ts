import { createHash } from 'node:crypto'
import { userInfo } from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import { readRegular } from '../../files/read-regular.ts'
import { badDocument, parseObject, readDocument } from '../document.ts'
import type { LoginFormat } from '../format.ts'
import { findItem } from '../keychain.ts'
import type { HostLogin, LoginPlace } from '../login.ts'
import { timeOf, tokenOf } from '../token-text.ts'

const stored = z.looseObject({
  claudeAiOauth: z
    .looseObject({
      accessToken: z.string(),
      refreshToken: z.string().nullish(),
      expiresAt: z.number().nullish(),
      scopes: z.array(z.string()).nullish(),
      subscriptionType: z.string().nullish(),
      rateLimitTier: z.string().nullish(),
      clientId: z.string().nullish(),
    })
    .nullish(),
  organizationUuid: z.string().nullish(),
})

/** `.credentials.json` of Claude Code 2.1, and the text of its Keychain item. */
export const claudeFormat: LoginFormat = {
  agent: 'claude',
  read(document, { source, name, warnings }) {
    const parsed = stored.safeParse(document)
    if (!parsed.success) throw badDocument(name, `is not as claude writes it (${parsed.error.issues[0]?.path.join('.') ?? ''})`, 'claude')
    const login = parsed.data.claudeAiOauth
    // What a logout leaves behind.
    if (login == null || login.accessToken === '') return []
    const access = tokenOf('claude access token', login.accessToken)
    if (access === null) throw badDocument(name, 'holds a token that no header field can carry', 'claude')
    const { scopes, subscriptionType, rateLimitTier, clientId } = login
    return [
      {
        agent: 'claude',
        provider: null,
        kind: 'subscription',
        source,
        account: null,
        expiresAt: timeOf(login.expiresAt),
        access,
        refresh: tokenOf('claude refresh token', login.refreshToken),
        facts: defined({ scopes, subscriptionType, rateLimitTier, clientId, organizationUuid: parsed.data.organizationUuid }),
        warnings,
      },
    ]
  },
  merge(document, _provider, tokens) {
    const login = document['claudeAiOauth']
    if (typeof login !== 'object' || login === null) return null
    const next = {
      ...login,
      accessToken: tokens.access.text(),
      ...(tokens.refresh === null ? {} : { refreshToken: tokens.refresh.text() }),
      ...(tokens.expiresAt === null ? {} : { expiresAt: tokens.expiresAt.getTime() }),
    }
    return { ...document, claudeAiOauth: next }
  },
}

/** The directory of the CLI's state. */
export function claudeDirectory({ home, env }: Pick<LoginPlace, 'home' | 'env'>): string {
  const own = env['CLAUDE_CONFIG_DIR']
  return own === undefined || own === '' ? path.join(home, '.claude') : path.resolve(own)
}

/** On macOS the CLI names the item after its directory where that is not the usual one, and falls back to the file as this does. */
export async function readClaude(place: LoginPlace): Promise<readonly HostLogin[]> {
  const directory = claudeDirectory(place)
  const found = (place.platform === 'darwin' ? await readItem(place) : null) ?? (await readFile(directory))
  if (found.length === 0) return []
  const account = await accountOf(place)
  return found.map((each) => ({ ...each, account }))
}

async function readItem(place: LoginPlace): Promise<readonly HostLogin[] | null> {
  const own = place.env['CLAUDE_CONFIG_DIR']
  const suffix = own === undefined || own === '' ? '' : `-${createHash('sha256').update(own.normalize('NFC')).digest('hex').slice(0, 8)}`
  const source = { kind: 'keychain', service: `Claude Code-credentials${suffix}`, account: keychainAccount(place) } as const
  const text = await findItem(source, 'claude', place)
  if (text === null) return null
  const name = `the Keychain item "${source.service}"`
  const document = parseObject(text)
  if (document === null) throw badDocument(name, 'is cut off, or is not the JSON that it should be', 'claude')
  const logins = claudeFormat.read(document, { source, name, warnings: [] })
  return logins.length === 0 ? null : logins
}

async function readFile(directory: string): Promise<readonly HostLogin[]> {
  const file = path.join(directory, '.credentials.json')
  const document = await readDocument(file, 'claude')
  if (document === null) return []
  return claudeFormat.read(document.value, { source: { kind: 'file', path: document.file }, name: file, warnings: document.warnings })
}

function keychainAccount({ env }: LoginPlace): string {
  const usual = 'claude-code-user'
  try {
    const name = env['USER'] || userInfo().username
    return /^[A-Za-z0-9._-]+$/.test(name) ? name : usual
  } catch {
    return usual
  }
}

/** The account that the CLI notes in its state file, which may be large. */
async function accountOf({ home, env }: LoginPlace): Promise<string | null> {
  const own = env['CLAUDE_CONFIG_DIR']
  const read = await readRegular(path.join(own === undefined || own === '' ? home : path.resolve(own), '.claude.json'), 8 * 1024 ** 2)
  const account = read.ok ? parseObject(read.bytes.toString('utf8'))?.['oauthAccount'] : undefined
  if (typeof account !== 'object' || account === null) return null
  const { emailAddress } = account as { emailAddress?: unknown }
  return typeof emailAddress === 'string' && emailAddress.length < 300 ? emailAddress : null
}

function defined(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null))
}
