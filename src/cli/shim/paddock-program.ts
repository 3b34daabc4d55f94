import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { isProgram } from '../../system/host-program.ts'
import { ownProgram } from '../own-program.ts'

/**
 * Returns the command that starts this Paddock from another program, with absolute paths. It prefers a name in PATH, because an upgrade keeps
 * that name and may remove the directory of this version. A name that an agent could replace is not used, unless the launcher is in the same place.
 * @param refuse returns the reason why an agent could have put a program there, or null.
 */
export function paddockProgram(searchPath: string, refuse: (file: string) => string | null): readonly string[] {
  const own = ownProgram()
  const given = own.at(-1) ?? ''
  const real = realOf(given) ?? given
  const known = refuse(real)
  const isSafe = (file: string): boolean => [null, known].includes(refuse(file))
  // Packages with Node inside have a script with that name, which starts the launcher (packaging/paddock.sh).
  const script = path.join(path.dirname(real), 'paddock')
  for (const directory of searchPath.split(path.delimiter).filter((each) => path.isAbsolute(each))) {
    const file = path.join(directory, 'paddock')
    const found = isProgram(file) ? realOf(file) : null
    if (found === null || (found !== real && found !== realOf(script)) || !isSafe(file)) continue
    // The link of npm starts the Node of the caller's PATH, which may be another one.
    return found === real ? [...own.slice(0, -1), file] : [file]
  }
  if (statSync(script, { throwIfNoEntry: false })?.isFile() === true) return [script]
  return [...own.slice(0, -1), isSafe(given) ? path.resolve(given) : real]
}

function realOf(file: string): string | null {
  try {
    return realpathSync(file)
  } catch {
    return null
  }
}
