import type { Secret } from '../secrets/secret.ts'
import type { LoginFormat } from './format.ts'

/** The location of a login: a file, or an item of the macOS Keychain (of the keyring, for gh). */
export type LoginSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'keychain'; readonly service: string; readonly account: string }

/** A login that an agent's own CLI made on this machine. */
export interface HostLogin {
  readonly agent: string
  /** The format in which the login was read, and is written back. */
  readonly format: LoginFormat
  /** The vendor, for a CLI with logins at several vendors; null for others. */
  readonly provider: string | null
  readonly kind: 'subscription' | 'key'
  readonly source: LoginSource
  /** The e-mail address or account ID, for messages. */
  readonly account: string | null
  /** The time at which the access token expires; null if the login has no date, or an impossible one. */
  readonly expiresAt: Date | null
  readonly access: Secret
  readonly refresh: Secret | null
  /**
   * Facts that are not secret and that a placeholder file needs: scopes, subscription, account ID, claims of the ID token (JSON values).
   */
  readonly facts: Readonly<Record<string, unknown>>
  /** The `paddock login` volume that contains the login. Absent: the login is the host's own. */
  readonly volume?: string
  /** Other secrets of the same login (ID tokens). They are never sent, but masking and scans must know them. */
  readonly others?: readonly Secret[]
  /** Warnings about the location, such as a file that other users can read. */
  readonly warnings?: readonly string[]
}

/** The location and the settings for reading logins. */
export interface LoginPlace {
  /** The absolute path of the user's home directory. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The `security` program of macOS. Default: `/usr/bin/security`. */
  readonly security?: string
  /** The absolute path of gh. By default, `hostProgram` finds it. */
  readonly gh?: string
  /** How long a Keychain or keyring may take to answer, in milliseconds. */
  readonly patienceMs?: number
}

/** Zeroes all secrets of a login. */
export function disposeLogin(login: HostLogin): void {
  for (const each of [login.access, login.refresh, ...(login.others ?? [])]) each?.dispose()
}

/** Returns a short name of a login: the agent, or `agent/provider`. */
export function nameOfLogin(login: Pick<HostLogin, 'agent' | 'provider'>): string {
  return login.provider === null ? login.agent : `${login.agent}/${login.provider}`
}

/** Returns the location of a login, for messages. */
export function placeOfLogin(source: LoginSource): string {
  return source.kind === 'file' ? source.path : `the keychain item "${source.service}" of ${source.account}`
}
