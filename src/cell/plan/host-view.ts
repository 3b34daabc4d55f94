import { accessSync, constants, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import type { GitUser } from '../../git/git-settings.ts'
import { type Mount, mountsOf } from '../../system/mounts.ts'
import { isIn, realPathOf } from '../../system/paths-to.ts'
import { gitLogins } from './absent-places/git-logins.ts'
import { absentPlaces, type HomeFacts } from './absent-places/hidden-places.ts'

/** The host's files as a cell of L1 sees them, without the user's credentials. */
export interface HostView {
  /** Directories that appear as read-only overlays, in which sockets and FIFOs lead nowhere. `hidden`: paths that do not exist there. */
  readonly overlays: readonly { readonly path: string; readonly hidden: readonly string[] }[]
  /** Files that cannot be in an overlay, because something is mounted next to them. */
  readonly files: readonly string[]
  readonly links: readonly { readonly path: string; readonly to: string }[]
  /** The user's home, without links in its path. Changes of a cell are in memory. `empty`: directories of agents, which are empty. */
  readonly home: { readonly path: string; readonly hidden: readonly string[]; readonly empty: readonly string[] }
  /** Files of the host that have another content in the cell. */
  readonly shown?: readonly { readonly path: string; readonly content: string }[]
}

/** `used`: paths that the cell needs, such as its project and directories of its PATH. */
export interface HostViewMeans {
  readonly mounts?: readonly Mount[]
  readonly root?: string
  readonly used?: readonly string[]
}

/** Directories at the root that every cell has for itself, or that contain nothing for programs. */
const own = new Set(['proc', 'sys', 'dev', 'run', 'tmp', 'boot', 'lost+found', 'root', 'mnt', 'media'])
const ownBelow = ['/var/tmp', '/var/run', '/var/lock']

/**
 * Looks at this machine for a cell of L1. An overlay of a directory with a mount below it is refused in a user namespace, so such a
 * directory is replaced by its entries. `alsoHidden`: directories that the cell does not have, besides credentials and Paddock's own state.
 * @throws PaddockError `UNENFORCEABLE` if something is mounted below the home, or if one of these directories contains the home
 */
export function inspectHostView(
  machine: HomeFacts,
  alsoHidden: readonly string[] = [],
  { mounts = mountsOf('self'), root = '/', used = [] }: HostViewMeans = {},
): HostView {
  const { realHome } = machine
  const below = (directory: string): Mount | undefined => mounts.find(({ at }) => at !== directory && isIn(directory, at))
  const inHome = below(realHome)
  if (inHome !== undefined)
    throw new PaddockError('UNENFORCEABLE', `${inHome.at} is mounted below your home, so no cell of L1 can be built here.`, {
      hint: 'Unmount it, or use --posture L2',
    })
  const around = alsoHidden.find((each) => isIn(realPathOf(each), realHome))
  if (around !== undefined)
    throw new PaddockError(
      'UNENFORCEABLE',
      `${around} ${realPathOf(around) === realHome ? 'is' : 'contains'} your home, so a cell of L1 would show it.`,
      {
        hint: 'Move it to a directory of its own, or use --posture L2',
      },
    )
  const { hidden, empty } = absentPlaces(machine, alsoHidden, used, mounts)
  const [overlays, files, links]: [HostView['overlays'][number][], string[], HostView['links'][number][]] = [[], [], []]
  const add = (file: string): void => {
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (stat === undefined || ownBelow.includes(file) || file === realHome || hidden.some((each) => isIn(each, file))) return
    if (stat.isSymbolicLink()) links.push({ path: file, to: readlinkSync(file) })
    else if (stat.isFile()) files.push(file)
    else if (!stat.isDirectory() || !isReadable(file)) return
    else if (below(file) === undefined && !isIn(file, realHome))
      overlays.push({ path: file, hidden: hidden.filter((each) => isIn(file, each)) })
    else for (const each of readdirSync(file)) add(path.join(file, each))
  }
  for (const each of readdirSync(root)) if (!own.has(each)) add(path.join(root, each))
  return {
    overlays,
    files,
    links,
    home: { path: realHome, hidden: hidden.filter((each) => isIn(realHome, each)), empty },
  }
}

/** Returns a view without the logins of git configurations in the home. `user`: whose configuration git reads. */
export function withoutGitLogins(view: HostView, user: GitUser): HostView {
  const { home, overlays } = view
  const absent = [...home.empty, ...[home, ...overlays].flatMap((each) => each.hidden)]
  const { shown, hidden } = gitLogins(home.path, user, absent)
  const withHidden = <T extends { readonly path: string; readonly hidden: readonly string[] }>(each: T): T => {
    const more = hidden.filter((file) => isIn(each.path, file) && (each === (home as unknown) || !isIn(home.path, file)))
    return { ...each, hidden: [...each.hidden, ...more] }
  }
  return { ...view, overlays: overlays.map(withHidden), home: withHidden(home), shown }
}

/** Returns true if the cell's user can read a directory: the user, or anybody if this is root. */
function isReadable(directory: string): boolean {
  if (process.getuid?.() === 0) return (statSync(directory).mode & 0o5) === 0o5
  try {
    accessSync(directory, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
