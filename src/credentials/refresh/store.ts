import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'
import { type JsonObject, mayReplace, parseObject, replaceDocument } from '../document.ts'
import type { LoginFormat, Tokens } from '../format.ts'
import { readHostLogins } from '../host-login.ts'
import { findItem, mayStoreItem, storeItem } from '../keychain.ts'
import { letItRenew } from '../log-in-again.ts'
import { disposeLogin, type HostLogin, type LoginAgent, type LoginPlace } from '../login.ts'
import { claudeDirectory, claudeFormat } from '../logins/claude.ts'
import { codexFormat } from '../logins/codex.ts'
import { geminiFormat } from '../logins/gemini.ts'
import { opencodeFormat } from '../logins/opencode.ts'
import { takeDirectoryLocks } from './directory-lock.ts'

/** The place of one login, to read it again and to write its new tokens to. */
export interface LoginStore {
  /** As it is now; null: it is not there any more. The caller owns its secrets. Throws as `readHostLogins`. */
  read(): Promise<HostLogin | null>
  /** Throws, with the mend, where new tokens could not be written; asked before they are. */
  mayWrite(): Promise<void>
  /**
   * Puts new tokens in place of those of which `posted` (a hash, see `hashOf`) was the refresh token. False: other tokens are there by
   * now, and stay.
   */
  write(tokens: Tokens, posted: string, now: Date): Promise<boolean>
  /** The lock that the agent's own CLI takes while it refreshes; null: somebody has it. See takeDirectoryLocks. */
  lock(markerFile: string): Promise<AsyncDisposable | null>
}

const formats: Readonly<Partial<Record<LoginAgent, LoginFormat>>> = {
  claude: claudeFormat,
  codex: codexFormat,
  gemini: geminiFormat,
  opencode: opencodeFormat,
}

export function openStore(login: HostLogin, place: LoginPlace): LoginStore {
  const { agent, provider, source } = login
  const format = formats[agent]
  const name = source.kind === 'file' ? source.path : source.service
  const changed =
    (tokens: Tokens, posted: string, now: Date) =>
    (value: JsonObject): JsonObject | null => {
      const there = (format?.read(value, { source, name, warnings: [] }) ?? []).find((each) => each.provider === provider)
      if (there === undefined) return null
      const same = hashOf(there) === posted
      disposeLogin(there)
      return same ? (format?.merge(value, provider, tokens, now) ?? null) : null
    }
  return {
    async read() {
      const all = await readHostLogins(agent, place)
      const found = all.find((each) => each.provider === provider && sameSource(each, login))
      for (const each of all) if (each !== found) disposeLogin(each)
      return found ?? null
    },
    async mayWrite() {
      if (format === undefined)
        throw new PaddockError('LOGIN_NEEDED', `Paddock does not know how to renew the login of ${agent}.`, { hint: letItRenew(agent) })
      if (source.kind === 'file') return mayReplace(source.path)
      const text = (await findItem(source, agent, place)) ?? ''
      // New tokens may be somewhat longer than the old ones.
      mayStoreItem(source, Buffer.byteLength(text) + 128, agent)
    },
    async write(tokens, posted, now) {
      if (source.kind === 'file') return replaceDocument(source.path, agent, changed(tokens, posted, now))
      const value = parseObject((await findItem(source, agent, place)) ?? '')
      const next = value === null ? null : changed(tokens, posted, now)(value)
      if (next === null) return false
      await storeItem(source, JSON.stringify(next), agent, place)
      return true
    },
    async lock(markerFile) {
      if (agent !== 'claude') return { [Symbol.asyncDispose]: async () => undefined }
      const directory = claudeDirectory(place)
      const beside = await realpath(directory).catch(() => directory)
      return takeDirectoryLocks([path.join(directory, '.oauth_refresh.lock'), `${beside}.lock`], markerFile)
    },
  }
}

/** Names a refresh token where the token itself must not be; the same for the same token. */
export function hashOf(login: Pick<HostLogin, 'refresh'>): string {
  return login.refresh === null ? '' : login.refresh.use((bytes) => createHash('sha256').update(bytes).digest('hex'))
}

function sameSource(one: HostLogin, other: HostLogin): boolean {
  return JSON.stringify(one.source) === JSON.stringify(other.source) && one.facts['host'] === other.facts['host']
}
