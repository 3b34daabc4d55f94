import type { Secret } from '../secrets/secret.ts'
import type { HostLogin, LoginPlace, LoginSource } from './agent-login.ts'
import type { LoginProgram } from './log-in-again.ts'
import type { JsonObject } from './login-document.ts'
import type { OAuthClient } from './refresh/oauth.ts'
import type { LoginFiles } from './volume/volume-files.ts'

/** The tokens that a refresh returned. */
export interface Tokens {
  readonly access: Secret
  /** The new refresh token; null: the previous one stays valid. */
  readonly refresh: Secret | null
  readonly idToken: Secret | null
  readonly expiresAt: Date | null
}

/** The file format of a program's logins. Pure. */
export interface LoginDocument {
  /** Returns the logins in a document. `name` is its path, for messages. Throws BAD_INPUT. */
  read(
    document: JsonObject,
    at: { readonly source: LoginSource; readonly name: string; readonly warnings: readonly string[] },
  ): readonly HostLogin[]
  /** Returns the document with new tokens for one login and everything else unchanged; null if it no longer contains that login. */
  merge(document: JsonObject, provider: string | null, tokens: Tokens, now: Date): JsonObject | null
}

/** The format of a program's stored logins. The program's adapter provides it. The code on this floor knows no adapter, except for `gh`. */
export interface LoginFormat extends LoginProgram {
  /**
   * Returns the logins on this machine; empty if the program is not logged in. Throws BAD_INPUT for a truncated or foreign file or an
   * unknown version, and LOGIN_NEEDED if a Keychain refuses access. The message is one sentence with the place, and the fix, without any
   * content. The caller owns the secrets.
   */
  read(place: LoginPlace): Promise<readonly HostLogin[]>
  /** The file format, for renewals. Absent: only the program writes the file, so Paddock does not renew the login. */
  readonly document?: LoginDocument
  /** Returns the OAuth client as which the program renews a login on this machine; null, or absent: Paddock cannot renew it. */
  client?(login: HostLogin, place: LoginPlace): Promise<OAuthClient | null>
  /**
   * Takes the program's locks for a renewal, which `markerFile` may record; null: another process holds one. Absent: there are no locks.
   */
  lock?(place: LoginPlace, markerFile: string): Promise<AsyncDisposable | null>
  /** The files of a login in a home; absent: a volume cannot contain such a login. */
  readonly files?: LoginFiles
}

/** Returns the agent names of these formats. */
export function namesOfFormats(formats: readonly LoginFormat[]): readonly string[] {
  return formats.map((each) => each.agent)
}
