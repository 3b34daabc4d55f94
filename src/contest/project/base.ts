import { type Entry, isLink } from '../../copy/manifest.ts'
import { leftOutOf } from '../seal/left-out.ts'
import type { Seal } from '../seal/seal-schema.ts'

/**
 * Returns the base for comparing a submission: the entries of its project without those that its seal left out. A seal records only
 * whether a file is executable, so `modeOf` returns the current mode of a file in the project (null: it is not a file).
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

/** Returns the mode of a sealed file in the project: its old mode with the sealed executable bit. */
export function modeInProject(sealed: '0644' | '0755', base: Entry | undefined): number {
  const executable = sealed === '0755'
  if (base === undefined || isLink(base)) return executable ? 0o755 : 0o644
  if (isExecutable(base.mode) === executable) return base.mode
  // Makes the file executable for everyone who may read it, as chmod +x does.
  return executable ? base.mode | ((base.mode & 0o444) >> 2) : base.mode & ~0o111
}

const isExecutable = (mode: number): boolean => (mode & 0o111) !== 0
