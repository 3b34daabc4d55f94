import { realpathSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { PaddockError } from './errors.ts'

/**
 * The directories of Paddock's own files, as paths without links. `PADDOCK_HOME` moves all of them; otherwise the XDG Base Directory
 * Specification applies.
 */
export interface Paths {
  /** The user's configuration. */
  readonly config: string
  /** Files that must persist: private homes of cells, the audit log, the registry of running cells. */
  readonly state: string
  /** The user's own files: the fleet with its agents, their workspaces and transcripts. */
  readonly data: string
  /** Files that may be deleted at any time. */
  readonly cache: string
  /** The home directory of the user on the host. */
  readonly userHome: string
  readonly userName: string
}

/** Returns the user's name. A UID in a container, or of a directory service that does not answer, has no name. */
function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    return 'user'
  }
}

/** Returns the home directory. If HOME is not an absolute path, the home directory comes from the user database. */
function homeOf({ HOME }: NodeJS.ProcessEnv): string {
  if (HOME && path.isAbsolute(HOME)) return path.normalize(HOME)
  let home = ''
  try {
    home = userInfo().homedir
  } catch {
    // A UID in a container has no entry.
  }
  if (path.isAbsolute(home)) return home
  throw new PaddockError('BAD_INPUT', 'You have no home directory: HOME is not an absolute path, and the user database names none.', {
    hint: 'Run: export HOME=DIRECTORY',
  })
}

/** Returns a path without links, so that mounts are found at the paths that the kernel reports. Parts that do not exist are kept. */
function withoutLinks(file: string): string {
  try {
    return realpathSync.native(file)
  } catch {
    const parent = path.dirname(file)
    return parent === file ? file : path.join(withoutLinks(parent), path.basename(file))
  }
}

/** Returns the paths. Throws `BAD_INPUT` if the user has no home directory, or `PADDOCK_HOME` is relative. */
export function resolvePaths(env: NodeJS.ProcessEnv): Paths {
  const userHome = homeOf(env)
  const userName = nameOfUser()
  const own = env['PADDOCK_HOME']
  if (own) {
    if (!path.isAbsolute(own))
      throw new PaddockError('BAD_INPUT', `PADDOCK_HOME is not an absolute path: ${own}.`, {
        hint: `Run: export PADDOCK_HOME="$PWD/${own}"`,
      })
    const below = (name: string): string => withoutLinks(path.join(own, name))
    return { config: below('config'), state: below('state'), data: below('data'), cache: below('cache'), userHome, userName }
  }
  const xdg = (name: string, fallback: string): string => {
    const value = env[name]
    return withoutLinks(path.join(value && path.isAbsolute(value) ? value : path.join(userHome, fallback), 'paddock'))
  }
  return {
    config: xdg('XDG_CONFIG_HOME', '.config'),
    state: xdg('XDG_STATE_HOME', '.local/state'),
    data: xdg('XDG_DATA_HOME', '.local/share'),
    cache: xdg('XDG_CACHE_HOME', '.cache'),
    userHome,
    userName,
  }
}
