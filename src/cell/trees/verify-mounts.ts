import { readFileSync, realpathSync } from 'node:fs'
import { PaddockError } from '../../base/errors.ts'
import { contains, type FsEntry, inertSource } from '../plan/filesystem.ts'
import type { CellPlan } from '../plan/plan.ts'

/** One line of mountinfo (proc(5)). */
interface Mount {
  /** The file system as `major:minor`. */
  readonly device: string
  /** The mounted directory of that file system. */
  readonly root: string
  readonly at: string
}

/**
 * Checks, before the agent starts, that each directory in the cell is the planned one, at the planned path.
 * bwrap resolves links in sources and targets, so a link from an earlier cell, or one that another cell creates now, could redirect a
 * mount.
 * @throws PaddockError `CELL_FAILED` that names the mount
 */
export function verifyMounts(plan: CellPlan, init: number): void {
  const host = parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'))
  // One mount may cover another one at the same path.
  const cell = Map.groupBy(parseMounts(readFileSync(`/proc/${init}/mountinfo`, 'utf8')), (each) => each.at)
  for (const entry of plan.filesystem) {
    if (entry.kind === 'mask' && !cell.has(entry.target)) throw strayed(entry.target, 'it cannot be masked')
    if (entry.kind === 'copy' && !cell.has(entry.target)) throw strayed(entry.target, `a copy of ${entry.source} cannot be mounted there`)
    if (entry.kind !== 'bind' && entry.kind !== 'inert' && entry.kind !== 'link') continue
    const found = cell.get(entry.target) ?? []
    const source = sourceOf(entry)
    const within = entry.kind === 'bind' ? entry.within : undefined
    if (within !== undefined && !contains(within, source)) throw strayed(entry.target, `${source} is mounted there instead`)
    const expected = locate(host, source)
    if (found.some((each) => each.device === expected?.device && each.root === expected.root)) continue
    throw strayed(entry.target, `${source} cannot be mounted there`)
  }
}

function strayed(target: string, effect: string): PaddockError {
  return new PaddockError('CELL_FAILED', `${target} is behind a symbolic link, so ${effect}.`, {
    hint: 'Look for symbolic links that an earlier cell may have left in the project or in its private home, and remove them',
  })
}

/**
 * Returns the source. Paths that a cell may have written to are used unchanged; links are resolved only in the user's own paths.
 */
function sourceOf(entry: Extract<FsEntry, { kind: 'bind' | 'inert' | 'link' }>): string {
  if (entry.kind === 'inert') return inertSource(entry)
  if (entry.kind === 'link') return entry.source ?? entry.target
  return ['project', 'guard', 'run-later', 'home'].includes(entry.reason) ? entry.source : realpathSync(entry.source)
}

/** Returns the location of a path: the last mount at its longest prefix, and its path in that file system. */
function locate(mounts: readonly Mount[], file: string): { readonly device: string; readonly root: string } | null {
  let best: Mount | null = null
  for (const each of mounts) {
    const covers = each.at === '/' || file === each.at || file.startsWith(`${each.at}/`)
    if (covers && (best === null || each.at.length >= best.at.length)) best = each
  }
  if (best === null) return null
  const rest = best.at === '/' ? file : file.slice(best.at.length)
  return { device: best.device, root: (best.root === '/' ? '' : best.root) + rest || '/' }
}

function parseMounts(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, , device, root, at] = line.split(' ')
    return device === undefined || root === undefined || at === undefined
      ? []
      : [{ device, root: unescapeOctal(root), at: unescapeOctal(at) }]
  })
}

/** Decodes octal escapes, which are used for space, tab, newline and backslash. Other bytes are unescaped. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
