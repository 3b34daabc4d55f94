import { execFileSync } from 'node:child_process'
import { PaddockError } from '../src/base/errors.ts'

/** A setting of the checkout's git that contains a credential. */
interface Held {
  readonly key: string
  readonly values: readonly string[]
  /** The values without the credential; empty: the setting is one. */
  readonly clean: readonly string[]
}

/**
 * Removes the credentials that the runner wrote into the checkout's own git configuration: `http.….extraheader` of actions/checkout, and the
 * job's token in GitLab's address of the remote. A cell sees that configuration. Returns a function that puts them back.
 * @throws PaddockError UNENFORCEABLE if they cannot be removed
 */
export function setCredentialsAside(
  directory: string,
  env: Readonly<Record<string, string>>,
): { readonly keys: readonly string[]; restore(): void } {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'safe.directory=*', '-C', directory, 'config', '--local', ...args], {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const held = heldIn(listed(git))
  const write = ({ key }: Held, values: readonly string[]): void => {
    git('--unset-all', key)
    for (const each of values) git('--add', key, each)
  }
  try {
    for (const each of held) write(each, each.clean)
  } catch (error) {
    throw new PaddockError(
      'UNENFORCEABLE',
      `The git configuration of ${directory} has a credential (${held[0]?.key}) and cannot be changed.`,
      {
        hint: 'Check the code out without credentials (persist-credentials: false)',
        cause: error,
      },
    )
  }
  return {
    keys: held.map(({ key }) => key),
    restore: () => {
      for (const each of held) {
        if (each.clean.length === 0) for (const value of each.values) git('--add', each.key, value)
        else write(each, each.values)
      }
    },
  }
}

/** Returns the settings of a repository, as `key\nvalue`; none outside of a repository. */
function listed(git: (...args: readonly string[]) => string): readonly string[] {
  try {
    return git('--list', '--null').split('\0').filter(Boolean)
  } catch {
    return []
  }
}

/** Returns the settings with credentials. Pure. */
export function heldIn(settings: readonly string[]): readonly Held[] {
  const all = settings.map((each) => {
    const [key = '', ...value] = each.split('\n')
    return { key, value: value.join('\n') }
  })
  const byKey = Map.groupBy(all, ({ key }) => key)
  return [...byKey].flatMap(([key, entries]) => {
    const values = entries.map(({ value }) => value)
    if (/^http\..*(?:extraheader|cookiefile)$|^http\.extraheader$/i.test(key)) return [{ key, values, clean: [] }]
    const clean = values.map((each) => each.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@\s]*:[^/@\s]*@/i, '$1'))
    return clean.every((each, at) => each === values[at]) ? [] : [{ key, values, clean }]
  })
}
