import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { refuseAsProject } from '../../files/not-projects.ts'
import { refuseWithoutRepository } from '../../git/project.ts'
import type { Manifest } from './manifest-schema.ts'

/** The directories that manifests and contests may name over the API: those in the user's configuration, and all directories under them. */
export interface NamedDirectories {
  /** Paths that are absolute or start with `~/`. */
  readonly allowed: readonly string[]
  /** The directories of `fleet.projects`, to which agents may write. */
  readonly agents: readonly string[]
  readonly userHome: string
  /** The configuration key of the list, for hints. */
  readonly key: 'fleet.projects' | 'fleet.contests'
}

/**
 * Returns the real path of a directory that was named over the API.
 * @throws PaddockError NOT_ALLOWED if the configuration does not list it. The error does not reveal whether it exists.
 */
export function namedDirectory(wish: string, directories: NamedDirectories): string {
  const { userHome, key } = directories
  const real = realBelow(wish, directories)
  if (real !== null) {
    refuseAsProject(real, [userHome, realOrNull(userHome) ?? userHome], true)
    return real
  }
  throw new PaddockError('NOT_ALLOWED', `${wish} is not a directory that ${key} of the configuration lists.`, {
    hint: `Add it to ${key} in config.yaml of the machine that runs the server, and start the server again`,
  })
}

/**
 * Returns the absolute path of a directory that a manifest names, which `namedDirectory` returned earlier. Must be called at each use: an
 * agent may have replaced the directory with a link, and the owner may have changed the list. `place`: the key in the manifest.
 * @throws PaddockError NOT_FOUND if it does not exist; BAD_INPUT if it is not a directory; NOT_ALLOWED if it is not what was allowed
 */
export function usedDirectory(named: string, place: string, directories: NamedDirectories): string {
  const { userHome, key } = directories
  const directory = placeOf(named, userHome)
  const kind = lstatSync(directory, { throwIfNoEntry: false })
  if (kind === undefined)
    throw new PaddockError('NOT_FOUND', `${place}: ${named} does not exist on this machine.`, { hint: 'Name the directory of a project' })
  if (realOrNull(directory) !== directory)
    throw new PaddockError('NOT_ALLOWED', `${place}: ${named} is now a symbolic link, or behind one.`, {
      hint: 'Find out who replaced it: it may have been an agent. Put the directory back, or name another one',
    })
  if (!kind.isDirectory())
    throw new PaddockError('BAD_INPUT', `${place}: ${named} is not a directory.`, { hint: 'Name the directory of a project' })
  if (realBelow(directory, directories) === null)
    throw new PaddockError('NOT_ALLOWED', `${place}: ${key} of the configuration does not list ${named} any more.`, {
      hint: `Add it to ${key} in config.yaml, or name another directory in the manifest`,
    })
  return directory
}

/** Returns the real path of a directory if it is an allowed one or under one, with all links followed; else null. */
export function realBelow(wish: string, directories: NamedDirectories): string | null {
  const real = realOrNull(placeOf(wish, directories.userHome))
  if (real === null) return null
  return realRoots(directories).some((root) => real === root || real.startsWith(root === '/' ? '/' : `${root}/`)) ? real : null
}

/**
 * Returns the real paths of the allowed directories that exist. One inside of another that agents may write to counts only without a link
 * below that other one, because an agent may have put the link there.
 */
export function realRoots({ allowed, agents, userHome }: NamedDirectories): readonly string[] {
  const written = agents.map((each) => placeOf(each, userHome))
  return allowed.flatMap((each) => {
    const place = placeOf(each, userHome)
    const root = realOrNull(place)
    const isReplaced = written.some(
      (around) => place.startsWith(`${around}/`) && root !== `${realOrNull(around)}${place.slice(around.length)}`,
    )
    return root === null || isReplaced ? [] : [root]
  })
}

/**
 * Returns the manifest with the real path of its project.
 * @throws PaddockError as `namedDirectory`; BAD_INPUT if its jobs need work trees and the project is not a git repository
 */
export function withRealProject(manifest: Manifest, directories: NamedDirectories): Manifest {
  const { workspace } = manifest
  if (workspace === undefined || workspace === 'own') return manifest
  if ('copy' in workspace) return { ...manifest, workspace: { copy: namedDirectory(workspace.copy, directories) } }
  if ('worktree' in workspace) {
    const worktree = namedDirectory(workspace.worktree, directories)
    refuseWithoutRepository(worktree, 'workspace.worktree')
    return { ...manifest, workspace: { worktree } }
  }
  return { ...manifest, workspace: { project: namedDirectory(workspace.project, directories) } }
}

function placeOf(text: string, userHome: string): string {
  return path.normalize(text.replace(/^~(?=\/|$)/, userHome)).replace(/(?<=.)\/$/, '')
}

function realOrNull(file: string): string | null {
  try {
    return realpathSync(file)
  } catch {
    return null
  }
}
