import { lstatSync, type Stats } from 'node:fs'
import path from 'node:path'
import type { WalkEntry } from './walk.ts'

/** Names as one path, as the file system holds them. */
export function joined(names: readonly Buffer[]): Buffer {
  return Buffer.concat(names.flatMap((each, at) => (at === 0 ? [each] : [Buffer.from('/'), each])))
}

/** Names as one path, for people and to compare with. */
export function shown(names: readonly Buffer[]): string {
  return names.map(String).join('/')
}

/** Returns what is at a path itself, not at the end of a link; null if nothing is there or it cannot be looked at. */
export function lstatOrNull(file: string | Buffer): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/**
 * Returns where a link ends, in full, or its target in `directory` if nothing is there or it is a loop. Empty if the link is gone.
 */
export function linkEnd(entry: WalkEntry, directory: string): string {
  try {
    return String(entry.realpath())
  } catch {
    try {
      return path.resolve(directory, String(entry.readlink()))
    } catch {
      return ''
    }
  }
}
