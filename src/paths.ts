import { homedir, userInfo } from 'node:os'
import path from 'node:path'

/** Where Paddock keeps what is its own. `PADDOCK_HOME` moves all of it (XDG Base Directory Specification otherwise). */
export interface Paths {
  /** The user's configuration. */
  readonly config: string
  /** What must survive: private homes of cells, the audit log, the registry of running cells. */
  readonly state: string
  /** What may be deleted at any time. */
  readonly cache: string
  /** The home directory of the user on the host. */
  readonly userHome: string
  readonly userName: string
}

/** A uid of a container, or of a directory service that does not answer, has no name. */
function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    return 'user'
  }
}

export function resolvePaths(env: NodeJS.ProcessEnv): Paths {
  const userHome = env['HOME'] && path.isAbsolute(env['HOME']) ? path.normalize(env['HOME']) : homedir()
  const userName = nameOfUser()
  const own = env['PADDOCK_HOME']
  if (own) {
    const root = path.resolve(own)
    return { config: path.join(root, 'config'), state: path.join(root, 'state'), cache: path.join(root, 'cache'), userHome, userName }
  }
  const xdg = (name: string, fallback: string): string => {
    const value = env[name]
    return path.join(value && path.isAbsolute(value) ? value : path.join(userHome, fallback), 'paddock')
  }
  return {
    config: xdg('XDG_CONFIG_HOME', '.config'),
    state: xdg('XDG_STATE_HOME', '.local/state'),
    cache: xdg('XDG_CACHE_HOME', '.cache'),
    userHome,
    userName,
  }
}
