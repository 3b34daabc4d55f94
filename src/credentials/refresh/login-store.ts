import { PaddockError } from '../../base/errors.ts'
import { disposeLogin, type HostLogin, type LoginPlace } from '../agent-login.ts'
import type { Tokens } from '../format.ts'
import { findItem, mayStoreItem, storeItem } from '../keychain.ts'
import { letItRenew } from '../log-in-again.ts'
import { type JsonObject, mayReplace, parseObject, replaceDocument } from '../login-document.ts'
import { hashOfToken } from '../token-hash.ts'

/** The store of a login, for reading it again and for writing its new tokens. */
export interface LoginStore {
  /** Returns the current login; null if it no longer exists. The caller owns its secrets. Throws like `LoginFormat.read`. */
  read(): Promise<HostLogin | null>
  /** Throws, with the fix, if new tokens could not be written. Must be called before they are requested. */
  mayWrite(): Promise<void>
  /**
   * Replaces the tokens whose refresh token has the hash `posted` (see `hashOf`). Returns false if the store has other tokens by now; those
   * are kept.
   */
  write(tokens: Tokens, posted: string, now: Date): Promise<boolean>
  /** Takes the locks that the agent's own CLI uses while it refreshes; null: another process holds one. */
  lock(markerFile: string): Promise<AsyncDisposable | null>
  /** Returns the holder of that lock, for a message. */
  holder(): Promise<string>
}

export function openStore(login: HostLogin, place: LoginPlace): LoginStore {
  const { format, provider, source } = login
  const name = source.kind === 'file' ? source.path : source.service
  const changed =
    (tokens: Tokens, posted: string, now: Date) =>
    (value: JsonObject): JsonObject | null => {
      const there = (format.document?.read(value, { source, name, warnings: [] }) ?? []).find((each) => each.provider === provider)
      if (there === undefined) return null
      const same = hashOf(there) === posted
      disposeLogin(there)
      return same ? (format.document?.merge(value, provider, tokens, now) ?? null) : null
    }
  return {
    async read() {
      const all = await format.read(place)
      const found = all.find((each) => each.provider === provider && sameSource(each, login))
      for (const each of all) if (each !== found) disposeLogin(each)
      return found ?? null
    },
    async mayWrite() {
      if (format.document === undefined)
        throw new PaddockError('LOGIN_NEEDED', `Paddock does not know how to renew the login of ${format.agent}.`, {
          hint: letItRenew(format),
        })
      if (source.kind === 'file') return mayReplace(source.path)
      const text = (await findItem(source, format, place)) ?? ''
      // New tokens may be somewhat longer than the old ones.
      mayStoreItem(source, Buffer.byteLength(text) + 128, format)
    },
    async write(tokens, posted, now) {
      if (source.kind === 'file') return replaceDocument(source.path, format, changed(tokens, posted, now))
      const value = parseObject((await findItem(source, format, place)) ?? '')
      const next = value === null ? null : changed(tokens, posted, now)(value)
      if (next === null) return false
      await storeItem(source, JSON.stringify(next), format, place)
      return true
    },
    async lock(markerFile) {
      return format.lock === undefined ? { [Symbol.asyncDispose]: async () => undefined } : format.lock(place, markerFile)
    },
    holder: async () => `${login.agent} itself`,
  }
}

/** Returns an identifier of a refresh token for places that must not contain the token itself. Equal tokens have equal identifiers. */
export function hashOf(login: Pick<HostLogin, 'refresh'>): string {
  return login.refresh === null ? '' : hashOfToken(login.refresh)
}

function sameSource(one: HostLogin, other: HostLogin): boolean {
  return JSON.stringify(one.source) === JSON.stringify(other.source) && one.facts['host'] === other.facts['host']
}
