import type { Secret } from '../secrets/secret.ts'
import type { JsonObject } from './document.ts'
import type { LoginProgram } from './log-in-again.ts'
import type { HostLogin, LoginPlace, LoginSource } from './login.ts'
import type { OAuthClient } from './refresh/oauth.ts'
import type { LoginFiles } from './volume/files.ts'

/** The result of a refresh. */
export interface Tokens {
  readonly access: Secret
  /** Null: the previous one stays valid. */
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
  /** Returns the document with new tokens for one login, and everything else unchanged. Null if that login is not in it any more. */
  merge(document: JsonObject, provider: string | null, tokens: Tokens, now: Date): JsonObject | null
}

/** How a program stores its logins. The program's adapter provides it. The code on this floor knows none of them, except `gh`. */
export interface LoginFormat extends LoginProgram {
  /**
   * Returns the logins on this machine; empty if it is not logged in. Throws BAD_INPUT for a truncated or foreign file or an unknown
   * version, and LOGIN_NEEDED if a Keychain refuses access: one sentence with the place, and the fix; never any content. The
   * caller owns the secrets.
   */
  read(place: LoginPlace): Promise<readonly HostLogin[]>
  /** Absent: only the program writes it, so Paddock does not renew it. */
  readonly document?: LoginDocument
  /** Returns the OAuth client as which the program renews a login on this machine; null, or absent: Paddock cannot renew it. */
  client?(login: HostLogin, place: LoginPlace): Promise<OAuthClient | null>
  /** Takes the program's locks for a renewal; null: somebody holds one. `markerFile` may record them. Absent: it uses none. */
  lock?(place: LoginPlace, markerFile: string): Promise<AsyncDisposable | null>
  /** Files of a login in a home; absent: a volume cannot contain one. */
  readonly files?: LoginFiles
}

/** Returns the agent names of these formats. */
export function namesOfFormats(formats: readonly LoginFormat[]): readonly string[] {
  return formats.map((each) => each.agent)
}
