import { lstatSync } from 'node:fs'
import path from 'node:path'
import { readRegularBytes } from '../../../files/read-regular.ts'
import type { IndexEntry } from '../../../git/index-file.ts'
import { isHeld, objectId } from '../../plan/held/held-repository.ts'
import type { HeldStart } from './held-start.ts'
import type { ObjectReader } from './objects.ts'
import { type ChangedFile, changedFiles } from './versions.ts'

const mostLogBytes = 64 * 1024 ** 2
const mostFileBytes = 16 * 1024 ** 2

/** A reset that did not change the work tree, and the held files that differ between its two commits. */
export interface MixedReset {
  readonly from: string
  readonly to: string
  /** The blobs of these files before the reset; undefined for a file that did not exist. */
  readonly held: ReadonlyMap<string, string | undefined>
}

/**
 * Returns a reset that did not change the work tree (git-reset(1), `--mixed`), if it was the last move of HEAD since the start, apart from new
 * commits. In a cell, it gives held files the versions of its commit in the index, while outside they would be shown as modified. Git logs
 * it like `--hard`. So it counts if the index or the work tree still has a file that is not held in the version before the reset, or if only
 * held files differ.
 */
export async function mixedReset(start: HeldStart, objects: ObjectReader, index: readonly IndexEntry[]): Promise<MixedReset | null> {
  const reset = lastReset(start)
  if (reset === null) return null
  const changed = await changedFiles(objects, reset.from, reset.to)
  const held = new Map(changed.filter((each) => isHeld(start, each.path)).map((each) => [each.path, each.before]))
  if (held.size === 0) return null
  const others = changed.filter((each) => !isHeld(start, each.path))
  const inIndex = new Map(index.map((each) => [each.path, each.id]))
  const idInWorkTree = (file: string): string | undefined => {
    const at = path.join(start.workTree, file)
    const bytes = lstatSync(at, { throwIfNoEntry: false })?.isFile() === true ? readRegularBytes(at, mostFileBytes) : null
    return bytes === null ? undefined : objectId('blob', bytes, start.idBytes * 2)
  }
  const isAsBefore = ({ path: file, before }: ChangedFile): boolean =>
    before !== undefined && (inIndex.get(file) === before || idInWorkTree(file) === before)
  return others.length === 0 || others.some(isAsBefore) ? { ...reset, held } : null
}

/**
 * Returns the last reset to another commit that the log of HEAD has since the start, with only commits after it. Null if there is none. The
 * times in the log are those of the commits, which variables can set.
 */
function lastReset({ git, logBytes }: HeldStart): { readonly from: string; readonly to: string } | null {
  const log = readRegularBytes(path.join(git, 'logs/HEAD'), mostLogBytes)
  if (log === null || logBytes === undefined) return null
  for (const line of log.toString('utf8', logBytes).trimEnd().split('\n').reverse()) {
    const [, from = '', to = '', what = ''] = /^([0-9a-f]+) ([0-9a-f]+) [^\t]*\t(.*)$/.exec(line) ?? []
    if (/^(?:commit|cherry-pick|revert)\b/.test(what) || from === to) continue
    return what.startsWith('reset: ') ? { from, to } : null
  }
  return null
}
