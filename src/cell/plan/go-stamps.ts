import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { findProgram } from '../../system/program-in-path.ts'

/** Returns true if the Go of PATH stamps programs with the state of a repository, that is, if it knows `-buildvcs` (Go 1.18). */
export function goStamps(searchPath: string): boolean {
  const go = findProgram('go', searchPath)
  if (go === null) return false
  try {
    const version = readFileSync(path.join(path.dirname(realpathSync(go)), '../VERSION'), 'utf8')
    return Number(/^go1\.(\d+)/.exec(version)?.[1] ?? 0) >= 18
  } catch {
    return false
  }
}
