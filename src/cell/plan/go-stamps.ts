import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** Returns true if the Go of PATH stamps programs with the state of a repository, that is, if it knows `-buildvcs` (Go 1.18). */
export function goStamps(searchPath: string): boolean {
  const go = searchPath
    .split(path.delimiter)
    .filter((each) => path.isAbsolute(each))
    .map((each) => path.join(each, 'go'))
    .find((each) => existsSync(each))
  if (go === undefined) return false
  try {
    const version = readFileSync(path.join(path.dirname(realpathSync(go)), '../VERSION'), 'utf8')
    return Number(/^go1\.(\d+)/.exec(version)?.[1] ?? 0) >= 18
  } catch {
    return false
  }
}
