import { realpathSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'
import { refuseWithoutRepository } from '../../git/project.ts'
import type { Manifest } from './schema.ts'

/** The directories that manifests and contests may name over the API: those in the user's configuration, and all directories under them. */
export interface NamedDirectories {
  /** Paths that are absolute or start with `~/`. */
  readonly allowed: readonly string[]
  readonly userHome: string
  /** The configuration key of the list, for hints. */
  readonly key: 'fleet.projects' | 'fleet.contests'
}

/**
 * Returns the real path of a directory that was named over the API.
 * @throws PaddockError NOT_ALLOWED if the configuration does not list it. The error does not reveal whether it exists.
 */
export function namedDirectory(wish: string, { allowed, userHome, key }: NamedDirectories): string {
  const real = realBelow(wish, allowed, userHome)
  if (real !== null) return real
  throw new PaddockError('NOT_ALLOWED', `${wish} is not a directory that ${key} of the configuration lists.`, {
    hint: `Add it to ${key} in config.yaml of the machine that runs the server, and start the server again`,
  })
}

/** Returns the real path of a directory if it is an allowed one or under one, with all links followed; else null. */
export function realBelow(wish: string, allowed: readonly string[], userHome: string): string | null {
  const place = (text: string): string => path.normalize(text.replace(/^~(?=\/|$)/, userHome))
  const real = realOrNull(place(wish))
  for (const each of allowed) {
    const root = realOrNull(place(each))
    if (root === null || real === null) continue
    if (real === root || real.startsWith(root === '/' ? '/' : `${root}/`)) return real
  }
  return null
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

function realOrNull(file: string): string | null {
  try {
    return realpathSync(file)
  } catch {
    return null
  }
}
