import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { isProgram } from '../../system/host-program.ts'
import { ownProgram } from '../own-program.ts'

/**
 * Returns the command that starts this Paddock from another program, with absolute paths. It prefers a name in PATH, because an upgrade keeps
 * that name and may remove the directory of this version.
 */
export function paddockProgram(searchPath: string): readonly string[] {
  const own = ownProgram()
  const launcher = own.at(-1) ?? ''
  const real = realOf(launcher)
  // Packages with Node inside have a script with that name, which starts the launcher (packaging/paddock.sh).
  const script = path.join(path.dirname(real ?? launcher), 'paddock')
  for (const directory of searchPath.split(path.delimiter).filter((each) => path.isAbsolute(each))) {
    const file = path.join(directory, 'paddock')
    const found = isProgram(file) ? realOf(file) : null
    if (found === null) continue
    // The link of npm starts the Node of the caller's PATH, which may be another one.
    if (found === real) return [...own.slice(0, -1), file]
    if (found === realOf(script)) return [file]
  }
  if (statSync(script, { throwIfNoEntry: false })?.isFile() === true) return [script]
  return [...own.slice(0, -1), path.resolve(launcher)]
}

function realOf(file: string): string | null {
  try {
    return realpathSync(file)
  } catch {
    return null
  }
}
