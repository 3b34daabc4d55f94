import path from 'node:path'
import { readRegularBytes } from '../../../files/read-regular.ts'
import { walk } from '../../../files/walk.ts'
import { allowedFiles } from './allowed-settings.ts'
import { readJsonc } from './jsonc.ts'

/** The name of the directory in which VS Code, and editors that are made from it, keep the settings of a project. */
export const settingsDirectory = '.vscode'

const mostBytes = 64 * 1024

/**
 * Returns true for a settings directory with at least one file, and only with files that can run nothing. A file with another name
 * elsewhere does not count, because a later cell could write to it there. `directory`: a path that no link can redirect.
 */
export async function isHarmless(directory: string): Promise<boolean> {
  let count = 0
  try {
    for await (const entry of walk(directory, { maxEntries: allowedFiles.size, maxDepth: 1 })) {
      const name = String(entry.names[0])
      const isAllowed = allowedFiles.get(name)
      if (entry.kind !== 'file' || isAllowed === undefined || entry.lstat()?.nlink !== 1) return false
      const bytes = readRegularBytes(path.join(directory, name), mostBytes)
      if (bytes === null || !isAllowed(await readJsonc(textOf(bytes)))) return false
      count++
    }
  } catch {
    return false
  }
  return count > 0
}

/** Throws if the bytes are not UTF-8. A byte order mark stays, and is then an error. */
function textOf(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}
