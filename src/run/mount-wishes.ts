import { realpathSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import type { MountWish } from '../cell/plan/spec.ts'
import type { RunRequest } from '../config/request/request.ts'

/**
 * Returns mounts for the host paths that a request names.
 * @throws PaddockError BAD_INPUT for a path that does not exist
 */
export function mountsOf(wished: RunRequest['mounts'], cwd: string): readonly MountWish[] {
  return wished.map(({ value: { path: file, access }, origin }) => {
    const target = path.resolve(cwd, file)
    try {
      const source = realpathSync(target)
      // A tree that the cell may write to is protected like the project, so it has the same path in the cell.
      return { source, target: access === 'rw' ? source : target, access }
    } catch (cause) {
      throw new PaddockError('BAD_INPUT', `${origin.place} ${file}: there is nothing at that path.`, {
        hint: 'Give an existing file or directory',
        cause,
      })
    }
  })
}
