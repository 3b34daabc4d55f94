import path from 'node:path'
import { readRegularSync } from '../files/read-regular.ts'
import { readGitConfig } from './config-syntax.ts'
import { expandPath, type GitUser, realOf, systemFiles } from './git-settings.ts'
import { type GitPlace, includeApplies } from './include-condition.ts'

/** One setting in the order in which git reads it. */
export interface EffectiveSetting {
  /** Section and name in lower case, with the subsection unchanged. */
  readonly key: string
  /** The value; null for a name without a value, which git treats as true. */
  readonly value: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

const mostBytes = 1024 ** 2
/** Git refuses deeper includes (MAX_INCLUDE_DEPTH in git's config.c). */
const mostDepth = 10

/**
 * Returns the settings of the user and the machine that git obeys in this environment (git-config(1), FILES and ENVIRONMENT), earliest
 * first. A later setting takes precedence. Includes are at the place where git reads them, if their condition holds. Runs no program.
 */
export function userSettings(user: Pick<GitUser, 'home' | 'name'>, env: Environment, place: GitPlace | null): readonly EffectiveSetting[] {
  const settings = [...systemNow(env), ...globalNow(user, env)].flatMap((each) => settingsIn(each, user, place))
  const count = Math.min(Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0, 1000)
  for (let n = 0; n < count; n++) {
    const key = env[`GIT_CONFIG_KEY_${n}`]
    if (key?.includes('.')) settings.push({ key: foldedKey(key), value: env[`GIT_CONFIG_VALUE_${n}`] ?? '' })
  }
  return settings
}

/** Returns the settings of one file, with its includes. */
export function settingsIn(
  file: string,
  user: Pick<GitUser, 'home' | 'name'>,
  place: GitPlace | null,
  depth = 0,
): readonly EffectiveSetting[] {
  if (depth > mostDepth) return []
  return readGitConfig(readRegularSync(realOf(file), mostBytes) ?? '').entries.flatMap(({ key, value }) => {
    const condition = /^includeif\.(.*)\.path$/s.exec(key)?.[1]
    const included = key === 'include.path' || (condition !== undefined && includeApplies(condition, file, user, place))
    const target = included ? expandPath(value ?? '', user) : null
    if (target === null) return [{ key, value }]
    return settingsIn(path.isAbsolute(target) ? target : `${path.dirname(file)}/${target}`, user, place, depth + 1)
  })
}

/** Returns the directory of the user's further git files, such as `ignore` and `attributes`. */
export function xdgDirectory(user: Pick<GitUser, 'home'>, env: Environment): string {
  return path.join(env['XDG_CONFIG_HOME'] || path.join(user.home, '.config'), 'git')
}

function systemNow(env: Environment): readonly string[] {
  if (!['', '0', 'false', 'no', 'off'].includes((env['GIT_CONFIG_NOSYSTEM'] ?? '').toLowerCase())) return []
  return env['GIT_CONFIG_SYSTEM'] ? [env['GIT_CONFIG_SYSTEM']] : systemFiles
}

function globalNow(user: Pick<GitUser, 'home'>, env: Environment): readonly string[] {
  if (env['GIT_CONFIG_GLOBAL'] !== undefined) return env['GIT_CONFIG_GLOBAL'] === '' ? [] : [env['GIT_CONFIG_GLOBAL']]
  return [path.join(xdgDirectory(user, env), 'config'), path.join(user.home, '.gitconfig')]
}

function foldedKey(key: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase()
}
