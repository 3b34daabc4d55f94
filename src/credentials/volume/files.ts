/** The name of the default volume. */
export const defaultVolume = 'default'

/** Files of a login in a home. Paths are relative to it. */
export interface LoginFiles {
  /** The login itself, in the CLI's state directory. */
  readonly file: string
  /** Where the CLI records the account: only these keys of that file are kept. */
  readonly account?: { readonly path: string; readonly keys: readonly string[] }
  /** The file contains several logins, and a new one is added to them. */
  readonly adds?: boolean
  /** Variables with which the CLI and the reader find these files: paths. */
  readonly env?: Readonly<Record<string, string>>
}
