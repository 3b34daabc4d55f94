import { PaddockError } from '../base/errors.ts'
import type { Paths } from '../base/paths.ts'
import { unmakeableBelow } from '../files/unmakeable.ts'

/**
 * Throws if Paddock's own directories can never be created at their paths. Other errors are reported when the directories are created.
 * @throws PaddockError `FILES_FAILED`
 */
export function refuseUnmakeable({ config, state, data, cache }: Paths): void {
  for (const each of [config, state, data, cache]) {
    const parent = unmakeableBelow(each)
    if (parent === null) continue
    throw new PaddockError('FILES_FAILED', `${each} cannot be made: there can be no directories in ${parent}.`, {
      hint: "Choose another directory for Paddock's files: export PADDOCK_HOME=DIRECTORY",
    })
  }
}
