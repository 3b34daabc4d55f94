import { WalkTooLarge, walk } from '../../files/walk.ts'
import type { RunLaterRow } from '../plan/protected/row-kinds.ts'
import type { ChangeSummary } from '../report.ts'
import { changesSince } from './tree-changes.ts'
import { bounds } from './tree-look.ts'

/** The entries that were quarantined in a directory. `isWhole`: false if the directory could not be searched completely. */
export interface NewQuarantine {
  readonly quarantined: ChangeSummary['quarantined']
  readonly isWhole: boolean
}

/**
 * Quarantines everything in a directory that host programs would run or obey later. Its whole content counts as new: it was created
 * for a cell that has ended, and no other cell uses it. `root`: absolute, without symbolic links.
 */
export async function quarantineNew(root: string, runLater: readonly RunLaterRow[]): Promise<NewQuarantine> {
  const found = await changesSince(root, { startedAt: 0, known: [], runLater }, (_file, act) => act())
  const isWhole = found.unsearched.length === 0 && !(found.truncated && (await isTooLarge(root)))
  return { quarantined: found.quarantined, isWhole }
}

/** Returns true if the directory is too large to be searched completely. */
async function isTooLarge(root: string): Promise<boolean> {
  try {
    for await (const _ of walk(root, bounds)) {
      // This walk only counts entries.
    }
    return false
  } catch (error) {
    if (error instanceof WalkTooLarge) return true
    throw error
  }
}
