import { existsSync, mkdirSync, rmdirSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../errors.ts'
import type { Paths } from '../paths.ts'

/**
 * Refuses places below a directory that exists and where mkdir(2) fails with ENOENT (/proc, a dead automount): with `recursive: true`, Node
 * tries to make such a one for ever. Other errors are left to whoever makes the directories.
 * @throws PaddockError `FILES_FAILED`
 */
export function refuseUnmakeable({ config, state, data, cache }: Paths): void {
  for (const each of [config, state, data, cache]) {
    let missing = each
    if (existsSync(missing)) continue
    while (!existsSync(path.dirname(missing))) missing = path.dirname(missing)
    try {
      // Only file systems that store nothing are like that.
      if (statfsSync(path.dirname(missing)).blocks > 0) continue
      mkdirSync(missing, { mode: 0o700 })
      rmdirSync(missing)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(path.dirname(missing))) continue
      throw new PaddockError('FILES_FAILED', `${each} cannot be made: there can be no directories in ${path.dirname(missing)}.`, {
        hint: 'Name another place for what Paddock keeps: export PADDOCK_HOME=DIRECTORY',
        cause: error,
      })
    }
  }
}
