import type { Stats } from 'node:fs'

/** Milliseconds between two times that a kernel surely tells apart: more than its longest tick. */
export const tickMs = 25
/** The same for a file system that keeps only seconds. */
const coarseTickMs = 2_100

type Stamped = Pick<Stats, 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>

/**
 * The hashes of files that were read, by their paths. A file that has the same inode, size and times is not read again: no program can set the
 * time of a change (utimensat(2)). A file that changed right before it was read is not remembered, because another change could have the
 * same time.
 */
export class TreeStamps {
  readonly #known = new Map<string, { readonly stamp: string; readonly hash: string }>()

  /** Returns the hash of a file that has not changed since it was noted. */
  hashOf(path: string, stat: Stamped): string | undefined {
    const known = this.#known.get(path)
    return known?.stamp === stampOf(stat) ? known.hash : undefined
  }

  /** Notes the hash of a file. `stat`: from before its content was read. `at`: when it was taken, in milliseconds since the epoch. */
  note(path: string, stat: Stamped, hash: string, at: number): void {
    const tick = stat.ctimeMs % 1_000 === 0 ? coarseTickMs : tickMs
    if (stat.ctimeMs <= at - tick) this.#known.set(path, { stamp: stampOf(stat), hash })
    else this.#known.delete(path)
  }
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: Stamped): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
}
