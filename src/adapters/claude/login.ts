import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { userInfo } from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import type { HostLogin, LoginPlace } from '../../credentials/agent-login.ts'
import type { LoginDocument, LoginFormat } from '../../credentials/format.ts'
import { findItem } from '../../credentials/keychain.ts'
import { badDocument, parseObject, readDocument } from '../../credentials/login-document.ts'
import { timeOf, tokenOf } from '../../credentials/token-text.ts'
import { readRegular } from '../../files/read-regular.ts'
import { vendorClients } from '../vendor-clients.ts'
import { takeDirectoryLocks } from './directory-lock.ts'

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

/** The format of `.credentials.json` of Claude Code 2.1, and of the text of its Keychain item. */
const document: LoginDocument = {
  read(document, { source, name, warnings }) {
    const parsed = stored.safeParse(document)
    if (!parsed.success)
      throw badDocument(name, `is not as claude writes it (${parsed.error.issues[0]?.path.join('.') ?? ''})`, claudeLogin)
    const login = parsed.data.claudeAiOauth
    // A logout leaves this.
    if (login == null || login.accessToken === '') return []
    const access = tokenOf('claude access token', login.accessToken)
    if (access === null) throw badDocument(name, 'contains a token that no HTTP header can contain', claudeLogin)
    const { scopes, subscriptionType, rateLimitTier, clientId } = login
    return [
      {
        agent: 'claude',
        format: claudeLogin,
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

/** The format of the CLI's stored login, and the way to renew it. */
export const claudeLogin: LoginFormat = {
  agent: 'claude',
  command: 'claude /login',
  read,
  document,
  async client({ facts: { clientId, scopes } }) {
    const id = typeof clientId === 'string' ? { id: clientId } : {}
    const scope = Array.isArray(scopes) && scopes.length > 0 ? { scope: scopes.join(' ') } : {}
    return { ...vendorClients.anthropic, ...id, ...scope }
  },
  async lock(place, markerFile) {
    const directory = directoryOf(place)
    const beside = await realpath(directory).catch(() => directory)
    return takeDirectoryLocks([path.join(directory, '.oauth_refresh.lock'), `${beside}.lock`], markerFile)
  },
  files: {
    file: '.claude/.credentials.json',
    account: { path: '.claude/.claude.json', keys: ['oauthAccount'] },
    env: { CLAUDE_CONFIG_DIR: '.claude' },
  },
}

/** Returns the CLI's state directory. */
function directoryOf({ home, env }: Pick<LoginPlace, 'home' | 'env'>): string {
  const own = env['CLAUDE_CONFIG_DIR']
  return own === undefined || own === '' ? path.join(home, '.claude') : path.resolve(own)
}

/** Reads the logins. Like the CLI, on macOS it names the item after a directory that is not the default, and falls back to the file. */
async function read(place: LoginPlace): Promise<readonly HostLogin[]> {
  const directory = directoryOf(place)
  const found = (place.platform === 'darwin' ? await readItem(place) : null) ?? (await readFile(directory))
  if (found.length === 0) return []
  const account = await accountOf(place)
  return found.map((each) => ({ ...each, account }))
}

async function readItem(place: LoginPlace): Promise<readonly HostLogin[] | null> {
  const own = place.env['CLAUDE_CONFIG_DIR']
  const suffix = own === undefined || own === '' ? '' : `-${createHash('sha256').update(own.normalize('NFC')).digest('hex').slice(0, 8)}`
  const source = { kind: 'keychain', service: `Claude Code-credentials${suffix}`, account: keychainAccount(place) } as const
  const text = await findItem(source, claudeLogin, place)
  if (text === null) return null
  const name = `the Keychain item "${source.service}"`
  const value = parseObject(text)
  if (value === null) throw badDocument(name, 'is cut off, or is not the JSON that it should be', claudeLogin)
  const logins = document.read(value, { source, name, warnings: [] })
  return logins.length === 0 ? null : logins
}

async function readFile(directory: string): Promise<readonly HostLogin[]> {
  const file = path.join(directory, '.credentials.json')
  const found = await readDocument(file, claudeLogin)
  if (found === null) return []
  return document.read(found.value, { source: { kind: 'file', path: found.file }, name: file, warnings: found.warnings })
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

/** Returns the account from the CLI's state file, which may be large. */
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
