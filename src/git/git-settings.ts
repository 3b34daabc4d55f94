import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../files/read-regular.ts'
import { readGitConfig } from './config-syntax.ts'

/** One value of a git configuration, with section and name in lower case and the subsection unchanged. */
export interface GitSetting {
  readonly section: string
  readonly subsection: string
  readonly name: string
  /** The value; empty for a name without a value. */
  readonly value: string
  /** The file that contains the value; null for a value from the environment. */
  readonly file: string | null
}

/** The user's git environment outside a repository. */
export interface GitUser {
  readonly home: string
  readonly name: string
  /** Configuration files of the user and of the machine, whether or not they exist. Later ones take precedence. */
  readonly files: readonly string[]
  /** Settings from the environment. They take precedence over all files. */
  readonly settings: readonly GitSetting[]
}

export interface GitSettings {
  readonly settings: readonly GitSetting[]
  /** The files that were looked up, including includes and files that do not exist. */
  readonly files: readonly string[]
  /** Problems with files that could not be read as git does, one sentence each. */
  readonly unread: readonly string[]
}

/** A git user without any configuration, for places where only a repository counts. */
export const nobody: GitUser = { home: '/nonexistent', name: '', files: [], settings: [] }

const mostBytes = 16 * 1024 ** 2
const mostFiles = 1000
/** The directories in which builds of distributions and Homebrew have the system-wide file. */
export const systemFiles = ['/etc', '/usr/local/etc', '/opt/homebrew/etc', '/home/linuxbrew/.linuxbrew/etc'].map(
  (each) => `${each}/gitconfig`,
)

/**
 * Returns the locations of git's configuration for this user (git-config(1), FILES and ENVIRONMENT). A variable that names another file
 * does not exclude the default file, because another shell or an editor may not have the variable.
 */
export function gitUser(
  user: { readonly home: string; readonly name: string },
  env: Readonly<Record<string, string | undefined>>,
): GitUser {
  const named = (name: string): string[] => (env[name] ? [path.resolve(env[name])] : [])
  const xdg = [...new Set([path.join(user.home, '.config'), ...named('XDG_CONFIG_HOME')])].map((each) => path.join(each, 'git/config'))
  const files = [...systemFiles, ...named('GIT_CONFIG_SYSTEM'), ...xdg, path.join(user.home, '.gitconfig'), ...named('GIT_CONFIG_GLOBAL')]
  const count = Math.min(Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0, mostFiles)
  const settings = Array.from({ length: Math.max(0, count) }, (_, n) =>
    settingOf(env[`GIT_CONFIG_KEY_${n}`] ?? '', env[`GIT_CONFIG_VALUE_${n}`] ?? '', null),
  )
  return { home: user.home, name: user.name, files, settings }
}

/** Returns the settings of these files and of all files that they include, regardless of the condition (git-config(1), Includes). */
export function gitSettings(files: readonly string[], user: Pick<GitUser, 'home' | 'name'>): GitSettings {
  const settings: GitSetting[] = []
  const unread: string[] = []
  const queue = [...files]
  const seen = new Set<string>()
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    if (seen.has(file)) continue
    if (seen.size === mostFiles) {
      unread.push(`The configuration of git has more than ${mostFiles} files, ${file} among them`)
      break
    }
    seen.add(file)
    const { entries, badLine } = readGitConfig(readRegularSync(realOf(file), mostBytes) ?? '')
    if (badLine !== null) unread.push(`${file} is not valid for git in line ${badLine}`)
    for (const { key, value } of entries) {
      const setting = settingOf(key, value ?? '', file)
      settings.push(setting)
      const included = isInclude(setting) ? expandPath(setting.value, user) : null
      if (included !== null) queue.push(path.isAbsolute(included) ? included : `${path.dirname(file)}/${included}`)
    }
  }
  return { settings, files: [...seen], unread }
}

/** Returns true for a setting that includes another file. */
export function isInclude({ section, subsection, name, value }: GitSetting): boolean {
  return name === 'path' && value !== '' && ((section === 'include' && subsection === '') || section === 'includeif')
}

/**
 * Returns a value as the path that git reads: `~/` and `~name/` are home directories, and `:(optional)` marks a path that may be
 * missing (git-config(1), Values, pathname). Null if the value does not name a path.
 */
export function expandPath(value: string, user: Pick<GitUser, 'home' | 'name'>): string | null {
  const plain = value.replace(/^:\(optional\)/, '')
  const [, name, rest = ''] = /^~([^/]*)(\/.*)?$/s.exec(plain) ?? []
  if (name === undefined) return plain === '' || plain.startsWith('%(prefix)/') ? null : plain
  const home = name === '' || name === user.name ? user.home : homeOf(name)
  return home === null ? null : home + rest
}

/** Returns the home directory of a user of this machine, like getpwnam(3). Git fails for a name that it does not know. */
function homeOf(name: string): string | null {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((each) => each.startsWith(`${name}:`))
    return line?.split(':')[5] ?? null
  } catch {
    return null
  }
}

/**
 * Returns the path that a path leads to, through links, as the kernel resolves it. Missing parts are appended to the nearest existing
 * ancestor.
 */
export function realOf(file: string): string {
  try {
    // Not the JavaScript version, because it removes `..` before it resolves links.
    return realpathSync.native(file)
  } catch {
    const [above, name] = [path.dirname(file), path.basename(file)]
    if (above === file) return file
    const real = realOf(above)
    if (name === '..' || name === '.') return path.join(real, name)
    return real === '/' ? `/${name}` : `${real}/${name}`
  }
}

function settingOf(key: string, value: string, file: string | null): GitSetting {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  const section = key.slice(0, Math.max(0, first)).toLowerCase()
  return { section, subsection: key.slice(first + 1, Math.max(first + 1, last)), name: key.slice(last + 1).toLowerCase(), value, file }
}
