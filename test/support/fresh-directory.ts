import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'

const group = (): string => String(randomInt(1_000)).padStart(3, '0')

/**
 * Makes a directory (mode 0700) whose path begins with `prefix` and ends in groups of three digits. The letters of mkdtemp, or a longer
 * number, now and then are a word or an id that a test says is nowhere in a text with the path in it.
 */
export function freshDirectory(prefix: string): string {
  for (;;) {
    const directory = `${prefix}${group()}-${group()}-${group()}`
    try {
      mkdirSync(directory, { mode: 0o700 })
      return directory
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
