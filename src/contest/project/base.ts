import { type Entry, isLink } from '../../copy/manifest.ts'
import { leftOutOf } from '../seal/left-out.ts'
import type { Seal } from '../seal/seal-schema.ts'

/**
 * Returns what the changes of a submission are seen against: the entries of its project without those that its seal left out. A seal keeps only
 * whether a file is executable, so `modeOf` gives the mode that a file of the project has now (null: it is not a file).
 */
export function baseOf(entries: readonly Entry[], seal: Seal, modeOf: (path: string) => number | null): readonly Entry[] {
  const isLeftOut = leftOutOf(seal)
  return entries
    .filter((each) => !isLeftOut(each.path))
    .map((each) => {
      if (isLink(each)) return each
      const now = modeOf(each.path)
      return now !== null && isExecutable(now) === isExecutable(each.mode) ? { ...each, mode: now } : each
    })
}

/** Returns the mode of a sealed file in the project: the one it had, but for whether it is executable. */
export function modeInProject(sealed: '0644' | '0755', base: Entry | undefined): number {
  const executable = sealed === '0755'
  if (base === undefined || isLink(base)) return executable ? 0o755 : 0o644
  if (isExecutable(base.mode) === executable) return base.mode
  // Every reader may run it (chmod +x).
  return executable ? base.mode | ((base.mode & 0o444) >> 2) : base.mode & ~0o111
}

const isExecutable = (mode: number): boolean => (mode & 0o111) !== 0
