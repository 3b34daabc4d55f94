import path from 'node:path'
import { isConfigAside } from '../../git/config-put-aside.ts'
import { expandPath, type GitSetting, type GitUser, gitSettings, realOf } from '../../git/git-settings.ts'
import { contains } from './filesystem.ts'
import type { RunLater } from './protected/run-later.ts'

/** A repository as git finds it. */
export interface GitRepository {
  /** The git directory, which contains HEAD. */
  readonly git: string
  /** The directory that contains the config. It differs from `git` if there is a `commondir`. */
  readonly common: string
  /** The paths of the work trees that are known without reading the config. */
  readonly workTrees: readonly string[]
}

/** The places in a tree that a configuration makes git use, as absolute paths of the tree itself or in it. */
export interface Sent {
  readonly places: readonly { readonly path: string; readonly kind: RunLater['kind'] }[]
  /** One sentence for each part that could not be read as git reads it. */
  readonly unread: readonly string[]
}

/** Returns the places in a tree that the user's and the machine's configuration use, without the repository's own configuration. */
export function sentByUser(root: string, user: GitUser): Sent & { readonly settings: readonly GitSetting[] } {
  const { settings, files, unread } = gitSettings(user.files, user)
  return { settings: [...settings, ...user.settings], places: filesIn(root, files), unread }
}

/**
 * Returns the places in a tree that a repository's config, with the user's, makes git use (git-config(1)): `core.hooksPath`, and the files
 * of `include` and `includeIf`. A relative hooksPath is relative to the work tree, or without one to the git directory (githooks(5)).
 */
export function configuredPaths(
  root: string,
  repository: GitRepository,
  user: Pick<GitUser, 'home' | 'name'>,
  settings: readonly GitSetting[],
): Sent {
  const configs = [...new Set([path.join(repository.common, 'config'), path.join(repository.git, 'config.worktree')])]
  const own = gitSettings(configs, user)
  const all = [...settings, ...own.settings]
  const workTrees = values(own.settings, 'worktree').map((each) => `${repository.git}/${each}`)
  const bases = [...new Set([...repository.workTrees, ...workTrees, repository.git])]
  const hooks = values(all, 'hookspath').flatMap((value) => {
    const expanded = expandPath(value, user)
    if (expanded === null) return []
    // Git before 2.45 turned every blank character into a space.
    return [...new Set([expanded, expanded.replace(/[\t\r]/g, ' ')])].flatMap((each) =>
      path.isAbsolute(each) ? [each] : bases.map((base) => `${base}/${each}`),
    )
  })
  const undecoded = all.some((each) => each.value.includes('\ufffd') && (each.name === 'hookspath' || each.name === 'path'))
  return {
    places: [
      ...inTree(root, hooks).map((each) => ({ path: each, kind: 'directory' as const })),
      ...filesIn(
        root,
        own.files.filter((each) => !isConfigAside(each)),
      ),
    ],
    unread: undecoded ? [...own.unread, `The configuration of ${repository.git} names a path that is not UTF-8`] : own.unread,
  }
}

function values(settings: readonly GitSetting[], name: string): readonly string[] {
  return settings.filter((each) => each.section === 'core' && each.subsection === '' && each.name === name).map((each) => each.value)
}

function filesIn(root: string, files: readonly string[]): Sent['places'] {
  return inTree(root, files).map((each) => ({ path: each, kind: 'file' }))
}

/** Returns the files in the tree, both as written and with links resolved, because the cell can write to both. */
function inTree(root: string, files: readonly string[]): readonly string[] {
  const all = files.flatMap((each) => [path.resolve(each), realOf(each)])
  return [...new Set(all)].filter((each) => contains(root, each))
}
