import type { Environment } from '../contest-api.ts'

/**
 * The settings of a cell. The user's configuration, and that of a trusted project, also apply, as for `paddock run`.
 *
 * ```ts
 * const options: CellOptions = { cwd: 'my-project', presets: ['npm'], timeout: 30 * 60_000 }
 * ```
 */
export interface CellOptions {
  /** The directory in which the cell works. Its project is the git repository around it. Default: the working directory of this process. */
  readonly cwd?: string
  /** Default: the configuration's, or else `allowlist`. */
  readonly egress?: 'off' | 'allowlist' | 'public' | 'open'
  /** Hosts that the cell may reach, as `HOST[:PORT]`. */
  readonly allow?: readonly string[]
  /** Presets of hosts, such as `npm` or `github`. */
  readonly presets?: readonly string[]
  /** Paths outside the project that the cell can read. */
  readonly ro?: readonly string[]
  /** Paths outside the project that the cell can also write to. */
  readonly rw?: readonly string[]
  /** Variables of the cell. They are visible in it; a secret is passed with `options: ['--secret', 'NAME=vault:NAME']` instead. */
  readonly variables?: Readonly<Record<string, string>>
  /** The time in milliseconds after which the cell is stopped. */
  readonly timeout?: number
  /** The memory of the whole cell, in bytes. */
  readonly memory?: number
  /** Further options of `paddock run`, as on the command line: `['--copy', '--preset', 'pypi']`. */
  readonly options?: readonly string[]
  /** When aborted, ends the cell. */
  readonly signal?: AbortSignal
  /** Called with each line that `paddock run` would print as a notice. Absent: notices are dropped. */
  readonly onNotice?: (line: string) => void
  /** The environment in which Paddock finds agents, credentials and its own directories. Default: the process's environment. */
  readonly env?: Environment
}

/** Variables that Paddock or its Node would obey, so that they are not put into its own environment. */
const obeyed = /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|TMPDIR|TZ)$|^(?:BASH_|GIT_|LC_|LD_|NODE_|OPENSSL_|PADDOCK_|PERL|SSL_|XDG_)/

/** Returns the options of `paddock run`, and the variables for its environment, which other users of the machine cannot see. */
export function runWords({
  egress,
  allow = [],
  presets = [],
  ro = [],
  rw = [],
  variables = {},
  timeout,
  memory,
  options = [],
}: CellOptions): {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
} {
  const hidden = Object.entries(variables).filter(([name]) => !obeyed.test(name))
  return {
    words: [
      ...(egress === undefined ? [] : [`--egress=${egress}`]),
      ...allow.map((each) => `--allow=${each}`),
      ...presets.map((each) => `--preset=${each}`),
      ...ro.map((each) => `--ro=${each}`),
      ...rw.map((each) => `--rw=${each}`),
      ...hidden.map(([name]) => `--env=${name}`),
      ...Object.entries(variables)
        .filter(([name]) => obeyed.test(name))
        .map(([name, value]) => `--env=${name}=${value}`),
      ...(timeout === undefined ? [] : [`--timeout=${Math.ceil(timeout)}ms`]),
      ...(memory === undefined ? [] : [`--memory=${Math.ceil(memory)}`]),
      ...options,
    ],
    env: Object.fromEntries(hidden),
  }
}
