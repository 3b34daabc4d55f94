import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/** Returns the first program of that name in the absolute directories of a PATH; null if no directory contains it. */
export function findProgram(name: string, searchPath: string): string | null {
  for (const directory of searchPath.split(path.delimiter).filter((each) => path.isAbsolute(each))) {
    const file = path.join(directory, name)
    try {
      accessSync(file, constants.X_OK)
      if (statSync(file).isFile()) return file
    } catch {
      // The program is not in this directory.
    }
  }
  return null
}
