/** The name of the default volume. */
export const defaultVolume = 'default'

/** The files of a login in a home, by path relative to the home. */
export interface LoginFiles {
  /** The login itself, in the CLI's state directory. */
  readonly file: string
  /** The file in which the CLI records the account. Only these keys of it are kept. */
  readonly account?: { readonly path: string; readonly keys: readonly string[] }
  /** True: the file contains several logins, and a new one is added to them. */
  readonly adds?: boolean
  /** Variables with paths by which the CLI and the reader find these files. */
  readonly env?: Readonly<Record<string, string>>
}
