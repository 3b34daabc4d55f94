import { PaddockError } from '../base/errors.ts'
import type { Environment } from '../contest-api.ts'
import { givenPrefix } from '../run/variables.ts'

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
  /** Called with each line that `paddock run` would print as a notice, with visible escapes for control characters. Absent: notices are dropped. */
  readonly onNotice?: (line: string) => void
  /** The environment in which Paddock finds agents, credentials and its own directories. Default: the process's environment. */
  readonly env?: Environment
}

/**
 * Returns the options of `paddock run`, and the variables for its environment. Those of the cell have other names there, because Paddock and its
 * programs would obey some, such as HTTPS_PROXY.
 * @throws PaddockError BAD_INPUT for a variable that cannot exist
 */
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
  const entries = Object.entries(variables)
  for (const [name, value] of entries) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new PaddockError('BAD_INPUT', `"${name}" is not the name of an environment variable.`)
    if (value.includes('\0')) throw new PaddockError('BAD_INPUT', `The variable ${name} must not contain a NUL byte.`)
  }
  return {
    words: [
      ...(egress === undefined ? [] : [`--egress=${egress}`]),
      ...allow.map((each) => `--allow=${each}`),
      ...presets.map((each) => `--preset=${each}`),
      ...ro.map((each) => `--ro=${each}`),
      ...rw.map((each) => `--rw=${each}`),
      ...entries.map(([name]) => `--env=${name}`),
      ...(timeout === undefined ? [] : [`--timeout=${Math.ceil(timeout)}ms`]),
      ...(memory === undefined ? [] : [`--memory=${Math.ceil(memory)}`]),
      ...options,
    ],
    env: Object.fromEntries(entries.map(([name, value]) => [`${givenPrefix}${name}`, value])),
  }
}
