import type { Secret } from '../secrets/secret.ts'
import type { JsonObject } from './document.ts'
import type { LoginProgram } from './log-in-again.ts'
import type { HostLogin, LoginPlace, LoginSource } from './login.ts'
import type { OAuthClient } from './refresh/oauth.ts'
import type { LoginFiles } from './volume/files.ts'

/** What a refresh brought. */
export interface Tokens {
  readonly access: Secret
  /** Null: the one that there was stays good. */
  readonly refresh: Secret | null
  readonly idToken: Secret | null
  readonly expiresAt: Date | null
}

/** How one program writes its logins down. Pure. */
export interface LoginDocument {
  /** The logins in a document. `name` is its place, for people. Throws BAD_INPUT. */
  read(
    document: JsonObject,
    at: { readonly source: LoginSource; readonly name: string; readonly warnings: readonly string[] },
  ): readonly HostLogin[]
  /** Returns the document with the new tokens of one login in it, and all else unchanged. Null if that login is not in it any more. */
  merge(document: JsonObject, provider: string | null, tokens: Tokens, now: Date): JsonObject | null
}

/** How one program keeps its logins. The adapter of the program provides it. Nothing on this floor knows one of them, except `gh`. */
export interface LoginFormat extends LoginProgram {
  /**
   * The logins on this machine; none: it is not logged in. Throws BAD_INPUT for a file that is truncated, foreign or of a version that is
   * not known, and LOGIN_NEEDED for a Keychain that does not hand it out: one sentence with the place, and the fix; never a content. The
   * caller owns the secrets.
   */
  read(place: LoginPlace): Promise<readonly HostLogin[]>
  /** Absent: nobody but the program writes it, so Paddock does not renew it. */
  readonly document?: LoginDocument
  /** The OAuth client as which the program renews a login on this machine; null, or absent: Paddock cannot renew it. */
  client?(login: HostLogin, place: LoginPlace): Promise<OAuthClient | null>
  /** Takes the locks that the program takes while it renews; null: somebody has one. `markerFile` may note them. Absent: it takes none. */
  lock?(place: LoginPlace, markerFile: string): Promise<AsyncDisposable | null>
  /** What a login leaves in a home; absent: a volume cannot hold one. */
  readonly files?: LoginFiles
}

/** The names that these logins are known by. */
export function namesOfFormats(formats: readonly LoginFormat[]): readonly string[] {
  return formats.map((each) => each.agent)
}
