/** The default volume. */
export const defaultVolume = 'default'

/** What a login leaves in a home. Paths relative to it. */
export interface LoginFiles {
  /** The login itself, in the directory of the CLI's state. */
  readonly file: string
  /** Where the CLI notes whose it is: these keys of that file are kept, and nothing else of it. */
  readonly account?: { readonly path: string; readonly keys: readonly string[] }
  /** The file holds several logins, and the next one is added to them. */
  readonly adds?: boolean
  /** Variables with which the CLI and the reader find these files there: paths. */
  readonly env?: Readonly<Record<string, string>>
}
