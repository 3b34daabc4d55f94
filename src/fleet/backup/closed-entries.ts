import { closeSync } from 'node:fs'
import { openBelow } from '../../files/open-below.ts'
import { undoOwnerRead } from '../../files/owner-access.ts'

/** Entries that their agent made unreadable for the owner, with their modes. Names are paths below the data directory, one byte a character. */
export type ClosedEntries = readonly (readonly [name: string, mode: number])[]

/**
 * Gives entries below `root` their modes back, the last ones first, because a closed directory may contain closed entries. Entries that
 * were changed or deleted since are left alone, and no link is followed.
 */
export function closeAgain(root: string, closed: ClosedEntries): void {
  for (const [name, mode] of closed.toReversed()) {
    const names = name.split('/').map((each) => Buffer.from(each, 'latin1'))
    const last = names.pop()
    if (last === undefined || [...names, last].some((each) => ['', '.', '..'].includes(String(each)))) continue
    try {
      const parent = openBelow(root, names)
      try {
        undoOwnerRead(Buffer.concat([Buffer.from(`/proc/self/fd/${parent}/`), last]), mode)
      } finally {
        closeSync(parent)
      }
    } catch {
      // It is gone, or closed already.
    }
  }
}
