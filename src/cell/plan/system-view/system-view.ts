import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Paths } from '../../../base/paths.ts'
import { type KeptApart, pathToolchains } from '../toolchains/path-toolchains.ts'
import { type Toolchain, withInstalls } from '../toolchains/tool-layers.ts'
import { packageSettings } from './package-settings.ts'
import { systemPaths } from './system-paths.ts'

/** What cells see of the system in which they are built: programs, libraries and settings for all users. */
export interface SystemView {
  /** Directories and files that programs need, parents first. `link` is set if the path is a symbolic link. */
  readonly paths: readonly { readonly path: string; readonly link: string | null }[]
  /** The names of the entries of /opt. */
  readonly inOpt?: readonly string[]
  /** The user's toolchains: directories, and single files, that contain programs and no secrets. */
  readonly toolchains: readonly Toolchain[]
  /** Directories of PATH that no cell has. */
  readonly notInCell?: readonly string[]
}

/** Reads what cells see of this machine. `installed`: directories of known agents, relative to the user's home. */
export function hostSystem(env: NodeJS.ProcessEnv, paths: Paths, installed: readonly string[], apart: KeptApart): SystemView {
  const found: { path: string; link: string | null }[] = []
  for (const each of systemPaths(readdirSync('/etc'))) {
    const link = isForAll(each) ? linkOf(each) : undefined
    if (link !== undefined) found.push({ path: each, link: /^\/(bin|sbin|lib\w*)$/.test(each) ? link : null })
  }
  const listed = found.map((each) => each.path)
  for (const each of packageSettings(paths.cache, listed)) found.push({ path: each, link: null })
  const isSystem = (file: string): boolean => found.some((each) => file === each.path || file.startsWith(`${each.path}/`))
  const terminfo = [env['TERMINFO'] ?? '', ...(env['TERMINFO_DIRS'] ?? '').split(':')]
  const { shown, dropped } = pathToolchains(env['PATH'] ?? '', paths.userHome, installed, isSystem, apart, terminfo)
  return { paths: found, inOpt: namesIn('/opt'), toolchains: withInstalls(shown, paths.userHome, installed), notInCell: dropped }
}

/** Users below this one belong to the system, such as `man`, whose index of manual pages is in /var/cache (login.defs(5), `SYS_UID_MAX`). */
const firstUser = 1000

/** Returns true for what the system installed for all users. An administrator who closes a directory has a reason. */
function isForAll(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && (!/^\/(etc|var)\//.test(file) || (stat.uid < firstUser && (stat.mode & 0o004) !== 0))
}

/** Returns the names of the entries of a directory, without dangling links; none if it cannot be read. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((each) => existsSync(path.join(directory, each)))
  } catch {
    return []
  }
}

/** Returns the target of a symbolic link; null for anything else that exists; undefined if nothing exists. */
function linkOf(file: string): string | null | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (!stat.isSymbolicLink()) return null
  // A dangling link (NixOS has some) counts as missing.
  return existsSync(file) ? readlinkSync(file) : undefined
}
