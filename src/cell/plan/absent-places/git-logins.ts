import { type Dirent, readdirSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../../files/read-regular.ts'
import { withoutLogins } from '../../../git/config-logins.ts'
import { readGitConfig } from '../../../git/config-syntax.ts'
import { expandPath, type GitUser } from '../../../git/git-settings.ts'
import { isIn, realPathOf, statOf } from '../../../system/paths-to.ts'

/** What a cell of L1 does not see of git configurations on the host. All paths are without links. */
export interface GitLogins {
  /** Configurations with logins, and their texts without them. */
  readonly shown: readonly { readonly path: string; readonly content: string }[]
  /** Files with logins that configurations name, and configurations that are too large to be read, or too many. */
  readonly hidden: readonly string[]
}

/** The most directories of a home in which repositories are looked for, nearest first, and the most entries of them all. */
const [mostDirectories, mostEntries] = [2000, 50_000]
const mostBytes = 1024 ** 2
const mostConfigs = 2000
const mostShown = 200

/** Settings that name files with logins: cookies, keys of certificates. */
const loginFile = /^http\.(?:.*\.)?(?:cookiefile|sslkey)$/s

/**
 * Looks for logins in the git configurations of the repositories in a home (a path without links), and in files that these and the user's
 * own configuration include, whatever the condition. `absent`: paths that the cell does not have, in which nothing is looked for.
 */
export function gitLogins(home: string, user: Pick<GitUser, 'home' | 'name' | 'files'>, absent: readonly string[]): GitLogins {
  const isAbsent = (file: string): boolean => absent.some((each) => isIn(each, file))
  const shown: { path: string; content: string }[] = []
  const hidden = new Set<string>()
  const seen = new Set<string>()
  const waiting = [...user.files, ...repositoryConfigs(home, isAbsent)]
  for (let file = waiting.shift(); file !== undefined && seen.size < mostConfigs; file = waiting.shift()) {
    const real = realPathOf(file)
    const stat = statOf(real)
    if (seen.has(real) || stat === null || !stat.isFile()) continue
    seen.add(real)
    if (stat.size > mostBytes) hidden.add(real)
    const text = readRegularSync(real, mostBytes) ?? ''
    const { files, logins } = namedIn(text, file, user)
    waiting.push(...files)
    for (const each of logins) if (statOf(each)?.isFile() === true) hidden.add(realPathOf(each))
    const content = withoutLogins(text)
    if (content === text) continue
    if (shown.length < mostShown) shown.push({ path: real, content })
    else hidden.add(real)
  }
  return { shown: shown.filter((each) => !isAbsent(each.path)), hidden: [...hidden].filter((each) => !isAbsent(each)) }
}

/** Returns the files that a configuration includes, and those with logins that it names. */
function namedIn(
  text: string,
  file: string,
  user: Pick<GitUser, 'home' | 'name'>,
): { readonly files: readonly string[]; readonly logins: readonly string[] } {
  const [files, logins]: [string[], string[]] = [[], []]
  for (const { key, value } of readGitConfig(text).entries) {
    const isInclude = key === 'include.path' || /^includeif\..*\.path$/s.test(key)
    const stored = /^credential\.(?:.*\.)?helper$/s.test(key)
      ? /^(?:\S*\/git-credential-)?store\s+.*--file[=\s]\s*(.+)$/s.exec(value ?? '')
      : null
    const named = isInclude || loginFile.test(key) ? value : (stored?.[1]?.trim().replace(/^(["'])(.*)\1$/s, '$2') ?? null)
    const target = named === null ? null : expandPath(named, user)
    if (target !== null) (isInclude ? files : logins).push(path.resolve(path.dirname(file), target))
  }
  return { files, logins }
}

/** Returns the configurations of the repositories in a directory, nearest first, without following links to directories. */
function* repositoryConfigs(home: string, isAbsent: (file: string) => boolean): Iterable<string> {
  let [left, directories] = [mostEntries, mostDirectories]
  for (const waiting = [home]; waiting.length > 0 && left > 0 && directories > 0; directories--) {
    const at = waiting.shift() ?? ''
    const entries = entriesOf(at).slice(0, left)
    left -= entries.length
    const names = new Set(entries.map(({ name }) => name))
    const isGit = names.has('HEAD') && (names.has('objects') || names.has('commondir'))
    if (isGit) for (const each of ['config', 'config.worktree']) if (names.has(each)) yield path.join(at, each)
    for (const each of entries) {
      const file = path.join(at, each.name)
      const isSearched = isGit ? inGit.has(each.name) : each.name !== 'node_modules'
      if (each.isDirectory() && isSearched && !isAbsent(file)) waiting.splice(each.name === '.git' ? 0 : waiting.length, 0, file)
      // A link in place of a git directory, or of its directories.
      else if (each.isSymbolicLink() && each.name === '.git') yield path.join(file, 'config')
    }
  }
}

/** Directories of a git directory with further ones: those of submodules and work trees. */
const inGit = new Set(['modules', 'worktrees'])

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}
