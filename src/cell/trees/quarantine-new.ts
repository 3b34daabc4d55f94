import { WalkTooLarge, walk } from '../../files/walk.ts'
import type { RunLaterRow } from '../plan/protected/rows.ts'
import type { ChangeSummary } from '../report.ts'
import { changesSince } from './changes.ts'
import { bounds } from './tree-look.ts'

/** What was quarantined in a directory. `isWhole`: false if it could not be searched to its end. */
export interface NewQuarantine {
  readonly quarantined: ChangeSummary['quarantined']
  readonly isWhole: boolean
}

/**
 * Quarantines everything in a directory that programs of the host would run or obey later. All of it counts as new: the directory was made
 * for a cell, which is gone, and no other cell uses it. `root`: absolute, without links.
 */
export async function quarantineNew(root: string, runLater: readonly RunLaterRow[]): Promise<NewQuarantine> {
  const found = await changesSince(root, { startedAt: 0, known: [], runLater }, (_file, act) => act())
  const isWhole = found.unsearched.length === 0 && !(found.truncated && (await isTooLarge(root)))
  return { quarantined: found.quarantined, isWhole }
}

/** True if the search ended before it had seen everything. */
async function isTooLarge(root: string): Promise<boolean> {
  try {
    for await (const _ of walk(root, bounds)) {
      // Only counted.
    }
    return false
  } catch (error) {
    if (error instanceof WalkTooLarge) return true
    throw error
  }
}
