import { lstatSync, type Stats } from 'node:fs'
import path from 'node:path'
import type { WalkEntry } from './walk.ts'

/** Returns names as one path, in the bytes of the file system. */
export function joined(names: readonly Buffer[]): Buffer {
  return Buffer.concat(names.flatMap((each, at) => (at === 0 ? [each] : [Buffer.from('/'), each])))
}

/** Returns names as one path, for display and comparison. */
export function shown(names: readonly Buffer[]): string {
  return names.map(String).join('/')
}

/** Returns the facts of a path itself, without following a link; null if the path does not exist or its facts cannot be read. */
export function lstatOrNull(file: string | Buffer): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/**
 * Returns the full path that a link leads to, or its target in `directory` if that does not exist or is a loop. Empty if the link is gone.
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
