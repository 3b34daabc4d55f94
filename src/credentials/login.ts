import type { Secret } from '../secrets/secret.ts'
import type { LoginFormat } from './format.ts'

/** Where a login is stored: a file, or an item of the macOS Keychain (of the keyring, for gh). */
export type LoginSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'keychain'; readonly service: string; readonly account: string }

/** A login that an agent's own CLI made on this machine. */
export interface HostLogin {
  readonly agent: string
  /** The format in which it was read, and is written back. */
  readonly format: LoginFormat
  /** The vendor, for a CLI with logins at several vendors; else null. */
  readonly provider: string | null
  readonly kind: 'subscription' | 'key'
  readonly source: LoginSource
  /** E-mail address or account id, for messages. */
  readonly account: string | null
  /** When the access token expires. Null if the login has no date, or an impossible one. */
  readonly expiresAt: Date | null
  readonly access: Secret
  readonly refresh: Secret | null
  /** Facts that are not secret and that a placeholder file needs: scopes, subscription, account id, claims of the id token (JSON values). */
  readonly facts: Readonly<Record<string, unknown>>
  /** The `paddock login` volume that contains it. Absent if it is the host's own. */
  readonly volume?: string
  /** Other secrets of the same login (id tokens). They are never sent, but masking and scans must know them. */
  readonly others?: readonly Secret[]
  /** Warnings about the place, such as a file that other users can read. */
  readonly warnings?: readonly string[]
}

/** What is needed to read logins. */
export interface LoginPlace {
  /** The home directory of the user, absolute. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The `security` program of macOS. Default: `/usr/bin/security`. */
  readonly security?: string
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

/** Returns where a login is stored, for messages. */
export function placeOfLogin(source: LoginSource): string {
  return source.kind === 'file' ? source.path : `the keychain item "${source.service}" of ${source.account}`
}
