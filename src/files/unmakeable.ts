import { existsSync, mkdirSync, rmdirSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../base/errors.ts'

/**
 * Returns the directory below which a missing directory can never be made, because mkdir(2) fails with ENOENT there (/proc, a dead
 * automount); null: it exists, or nothing of this kind prevents it. With `recursive: true`, Node tries to make such a directory forever.
 */
export function unmakeableBelow(directory: string): string | null {
  let missing = directory
  if (existsSync(missing)) return null
  while (!existsSync(path.dirname(missing))) missing = path.dirname(missing)
  const parent = path.dirname(missing)
  try {
    // Only file systems that store nothing behave like that.
    if (statfsSync(parent).blocks > 0) return null
    mkdirSync(missing, { mode: 0o700 })
    rmdirSync(missing)
    return null
  } catch (error) {
    return codeOf(error) === 'ENOENT' && existsSync(parent) ? parent : null
  }
}
