import type { Secret } from '../secrets/secret.ts'
import type { JsonObject } from './document.ts'
import type { HostLogin, LoginAgent, LoginSource } from './login.ts'

/** What a refresh brought. */
export interface Tokens {
  readonly access: Secret
  /** Null: the one that there was stays good. */
  readonly refresh: Secret | null
  readonly idToken: Secret | null
  readonly expiresAt: Date | null
}

/** How one agent's CLI writes its logins down. Pure. */
export interface LoginFormat {
  readonly agent: LoginAgent
  /** The logins in a document. `name` is its place, for people. Throws BAD_INPUT. */
  read(
    document: JsonObject,
    at: { readonly source: LoginSource; readonly name: string; readonly warnings: readonly string[] },
  ): readonly HostLogin[]
  /** The document with the new tokens of one login in it, and all else as it was; null where that login is not in it any more. */
  merge(document: JsonObject, provider: string | null, tokens: Tokens, now: Date): JsonObject | null
}
