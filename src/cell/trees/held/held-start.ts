import { lstatSync } from 'node:fs'
import path from 'node:path'
import { type HeldRepository, indexOf, isHeld } from '../../plan/held/held-repository.ts'
import type { Version } from './versions.ts'

/** The state of a repository with held paths when a cell started. */
export interface HeldStart extends Pick<HeldRepository, 'git' | 'common' | 'workTree' | 'paths' | 'skipped'> {
  /** The size of an object ID. */
  readonly idBytes: 20 | 32
  /**
   * The user's own sparse checkout, which decides about files that were not in the index. `cones`: it has all files at the top
   * (git-sparse-checkout(1)).
   */
  readonly sparse: 'none' | 'cones' | 'patterns'
  /** The held files that were tracked and unmodified. */
  readonly clean: readonly Version[]
  /** The size of the log of HEAD. Absent in records of older versions. */
  readonly logBytes?: number
  /** Held files that the user's own sparse checkout hides. Absent in records of older versions. */
  readonly hidden?: readonly string[]
  /** Commits to which the user has pointed refs (`userTips`). */
  readonly tips: readonly string[]
}

/** Returns the state of these repositories, to be recorded before the cell starts. `tipsOf`: returns the user's commits of a common directory. */
export function heldStarts(repositories: readonly HeldRepository[], tipsOf: (common: string) => readonly string[]): readonly HeldStart[] {
  return repositories.map(({ git, common, workTree, paths, skipped, tracked, modified, idBytes, ownPatterns }) => {
    const held = new Set(tracked.filter((each) => !modified.includes(each)))
    const index = indexOf(git, idBytes) ?? []
    const clean = index.filter((each) => held.has(each.path) && each.stage === 0 && !each.skipsWorkTree)
    return {
      git,
      common,
      workTree,
      paths,
      skipped,
      idBytes,
      sparse: ownPatterns === null ? 'none' : ownPatterns.startsWith('/*\n!/*/\n') ? 'cones' : 'patterns',
      clean: clean.map(({ path: file, mode, id }) => ({ path: file, mode, id })),
      hidden: index.filter((each) => each.skipsWorkTree && isHeld({ paths }, each.path)).map((each) => each.path),
      tips: tipsOf(common),
      logBytes: lstatSync(path.join(git, 'logs/HEAD'), { throwIfNoEntry: false })?.size ?? 0,
    }
  })
}

/** Returns true if git on either side has written the index of a work tree since a time (milliseconds since the epoch). */
export function isIndexWrittenSince(git: string, since: number): boolean {
  const stat = lstatSync(path.join(git, 'index'), { throwIfNoEntry: false })
  return stat !== undefined && stat.ctimeMs >= since
}
