import { closeSync, constants, openSync } from 'node:fs'
import path from 'node:path'

const linux = process.platform === 'linux'
/** The flags for opening a directory. On macOS, links are refused in every part of a path (open(2), O_NOFOLLOW_ANY). */
const flags = constants.O_RDONLY | constants.O_DIRECTORY | (linux ? constants.O_NOFOLLOW : 0x2000_0000)

/**
 * Opens a directory by its names below another one, each relative to its parent and without following a link. The caller must close it.
 * Throws the system's error.
 */
export function openBelow(base: string, names: readonly Buffer[]): number {
  if (!linux) return openSync(path.join(base, ...names.map(String)), flags)
  let descriptor = openSync(base, constants.O_RDONLY | constants.O_DIRECTORY)
  for (const each of names) {
    const above = descriptor
    try {
      descriptor = openSync(Buffer.concat([Buffer.from(`/proc/self/fd/${above}/`), each]), flags)
    } finally {
      closeSync(above)
    }
  }
  return descriptor
}
