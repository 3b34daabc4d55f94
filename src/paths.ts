import { userInfo } from 'node:os'
import path from 'node:path'
import { PaddockError } from './errors.ts'

/** Where Paddock keeps what is its own. `PADDOCK_HOME` moves all of it (XDG Base Directory Specification otherwise). */
export interface Paths {
  /** The user's configuration. */
  readonly config: string
  /** What must survive: private homes of cells, the audit log, the registry of running cells. */
  readonly state: string
  /** What is the user's own: the fleet with its agents, their workspaces and transcripts. */
  readonly data: string
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

/** An empty HOME is as good as none: then it is what the user database says. */
function homeOf({ HOME }: NodeJS.ProcessEnv): string {
  if (HOME && path.isAbsolute(HOME)) return path.normalize(HOME)
  let home = ''
  try {
    home = userInfo().homedir
  } catch {
    // A uid of a container has no entry.
  }
  if (path.isAbsolute(home)) return home
  throw new PaddockError('BAD_INPUT', 'You have no home directory: HOME is not an absolute path, and the user database names none.', {
    hint: 'Run: export HOME=DIRECTORY',
  })
}

/** @throws PaddockError `BAD_INPUT` if the user has no home directory, or `PADDOCK_HOME` is relative */
export function resolvePaths(env: NodeJS.ProcessEnv): Paths {
  const userHome = homeOf(env)
  const userName = nameOfUser()
  const own = env['PADDOCK_HOME']
  if (own) {
    if (!path.isAbsolute(own))
      throw new PaddockError('BAD_INPUT', `PADDOCK_HOME names no absolute path: ${own}.`, {
        hint: `Run: export PADDOCK_HOME="$PWD/${own}"`,
      })
    const below = (name: string): string => path.join(own, name)
    return { config: below('config'), state: below('state'), data: below('data'), cache: below('cache'), userHome, userName }
  }
  const xdg = (name: string, fallback: string): string => {
    const value = env[name]
    return path.join(value && path.isAbsolute(value) ? value : path.join(userHome, fallback), 'paddock')
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
