import { lstatSync } from 'node:fs'
import path from 'node:path'
import { headOf, refsSince } from '../../../git/tips.ts'
import { type HeldRepository, indexOf } from '../../plan/held/held-repository.ts'
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
  /** The commits of HEAD and of all refs. Null if there are too many. */
  readonly tips: readonly string[] | null
}

const mostTips = 5000

/** Returns the state of these repositories, to be recorded before the cell starts. */
export function heldStarts(repositories: readonly HeldRepository[]): readonly HeldStart[] {
  return repositories.map(({ git, common, workTree, paths, skipped, tracked, modified, idBytes, ownPatterns }) => {
    const held = new Set(tracked.filter((each) => !modified.includes(each)))
    const clean = (indexOf(git, idBytes) ?? []).filter((each) => held.has(each.path) && each.stage === 0 && !each.skipsWorkTree)
    const refs = refsSince(common, 0)
    const tips = new Set([headOf(git, common) ?? '', ...(refs?.values() ?? [])].filter((each) => each !== ''))
    return {
      git,
      common,
      workTree,
      paths,
      skipped,
      idBytes,
      sparse: ownPatterns === null ? 'none' : ownPatterns.startsWith('/*\n!/*/\n') ? 'cones' : 'patterns',
      clean: clean.map(({ path: file, mode, id }) => ({ path: file, mode, id })),
      tips: refs === null || tips.size > mostTips ? null : [...tips],
    }
  })
}

/** Returns true if git on either side has written the index of a work tree since a time (milliseconds since the epoch). */
export function isIndexWrittenSince(git: string, since: number): boolean {
  const stat = lstatSync(path.join(git, 'index'), { throwIfNoEntry: false })
  return stat !== undefined && stat.ctimeMs >= since
}
