/** A package registry from a tool's own configuration. */
export interface RegistrySetting {
  readonly url: string
  /** The file, variable or command that the setting comes from. */
  readonly from: string
  /**
   * What the registry is for: everything (`main`), in addition to that (`more`), or the packages of a scope (`@scope`). `token`: the file
   * has a token for this URL (empty: for registries that only projects name). `default`: a constant of the tool, which it knows in a cell as well. `setting`: no registry, but a variable
   * of the tool that says how registries are used.
   */
  readonly use: RegistryUse
  /** The variable that contains the token, if the file names one, or that is set. */
  readonly variable?: string
  /** The value of the variable that is set. */
  readonly text?: string
  readonly login?: RegistryLogin
}

/** How a tool names a token, and uses it. */
export interface RegistryLogin {
  /** The tool's own name for the registry. */
  readonly id: string
  /** The user name beside the token; empty if there is none. */
  readonly user: string
  /** The header with the token. Absent: it is a password. */
  readonly header?: string
}

export type RegistryUse = 'main' | 'more' | `@${string}` | 'token' | 'default' | 'setting'
