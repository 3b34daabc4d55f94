import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { contains, type FsEntry, parentsFirst, targetOf } from './filesystem.ts'
import type { MaskWish } from './spec.ts'

const mostMasks = 200

/**
 * Returns the mask for a path of the host; null if nothing exists there. Links in its parent path are resolved, so that the mask covers
 * exactly this file.
 * @throws PaddockError `BAD_INPUT` for a link, or anything else that is not a file or directory. `place` names the option or key of the
 *   mask.
 */
export function maskAt(file: string, place: string): (MaskWish & { readonly names: number }) | null {
  let source: string
  try {
    source = path.join(realpathSync(path.dirname(file)), path.basename(file))
  } catch {
    return null
  }
  const stat = lstatSync(source, { throwIfNoEntry: false })
  if (stat === undefined) return null
  if (stat.isSymbolicLink())
    throw new PaddockError('BAD_INPUT', `${place}: ${file} is a symbolic link, which cannot be masked.`, {
      hint: 'Mask its target',
    })
  if (!stat.isFile() && !stat.isDirectory())
    throw new PaddockError('BAD_INPUT', `${place}: ${file} is neither a file nor a directory.`, { hint: 'Leave it out' })
  return stat.isFile() ? { source, kind: 'file', names: stat.nlink } : { source, kind: 'directory', names: 1 }
}

/**
 * Returns the entries of a cell with the masks added. Wherever an entry shows a masked path, an empty file or directory covers it,
 * without the entries inside it. In trees that the cell may write to, the parent directories become separate mount points, so that none
 * can be renamed together with the masked path in it. Takes and returns entries in mount order.
 */
export function masked(entries: readonly FsEntry[], masks: readonly MaskWish[]): readonly FsEntry[] {
  if (masks.length === 0) return entries
  if (masks.length > mostMasks)
    throw new PaddockError('UNENFORCEABLE', `There are ${masks.length} masks, more than can be mounted.`, {
      hint: 'Mask the directories that the files are in',
    })
  const all = new Map<string, FsEntry>()
  for (const { source, kind } of masks)
    for (const target of placesOf(source, entries)) all.set(target, { kind: 'mask', source, target, type: kind })
  const isCovered = (target: string): boolean => [...all.keys()].some((each) => contains(each, target))
  const left = entries.filter((each) => !isCovered(targetOf(each)))
  // A masked directory contains nothing else to mask.
  const over = [...all].filter(([target]) => ![...all.keys()].some((each) => each !== target && contains(each, target)))
  const guards = new Map<string, FsEntry>()
  for (const [target] of over) for (const each of guardsAbove(target, left)) guards.set(targetOf(each), each)
  return parentsFirst([...left, ...guards.values(), ...over.map(([, each]) => each)])
}

/** Returns the paths in the cell where a path of the host is visible. */
function placesOf(source: string, entries: readonly FsEntry[]): ReadonlySet<string> {
  const places = new Set<string>()
  for (const each of entries) {
    const from = sourceOf(each)
    if (from === null || !contains(from, source) || isHiddenIn(each, source)) continue
    const target = targetOf(each) + source.slice(from.length)
    // Another entry may cover the path and show something else.
    const shown = entries.findLast((one) => contains(targetOf(one), target))
    const below = shown === undefined ? null : sourceOf(shown)
    if (shown !== undefined && below !== null && below + target.slice(targetOf(shown).length) === source) places.add(target)
  }
  return places
}

function isHiddenIn(entry: FsEntry, source: string): boolean {
  return entry.kind === 'overlay' && entry.hidden.some((each) => contains(each, source))
}

function sourceOf(entry: FsEntry): string | null {
  return entry.kind === 'bind' || entry.kind === 'copy' || entry.kind === 'toolchain'
    ? entry.source
    : entry.kind === 'system' || entry.kind === 'overlay'
      ? entry.path
      : null
}

function guardsAbove(target: string, entries: readonly FsEntry[]): FsEntry[] {
  const known = new Set(entries.map(targetOf))
  const guards: FsEntry[] = []
  for (let each = path.dirname(target); each !== '/'; each = path.dirname(each)) {
    if (known.has(each)) continue
    const shown = entries.findLast((one) => contains(targetOf(one), each))
    if (shown?.kind !== 'bind' || shown.access !== 'rw') continue
    const source = shown.source + each.slice(shown.target.length)
    guards.push({ kind: 'bind', source, target: each, access: 'rw', reason: 'guard' })
  }
  return guards
}
