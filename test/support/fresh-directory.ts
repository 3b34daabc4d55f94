import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'

/**
 * Makes a directory (mode 0700) whose path begins with `prefix` and ends in digits. Letters, as of mkdtemp, spell a word now and then
 * that a test says is nowhere in a text with the path in it.
 */
export function freshDirectory(prefix: string): string {
  const directory = `${prefix}${randomInt(1e12, 1e13)}`
  mkdirSync(directory, { mode: 0o700 })
  return directory
}
