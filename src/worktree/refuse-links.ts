import path from 'node:path'
import { PaddockError } from '../errors.ts'
import { kindBelow } from '../files/kind-below.ts'

/**
 * Throws if git would write through a symbolic link when it makes a work tree. A running cell may have made the link in the git directory.
 * @param common the git directory that all work trees of the repository share
 * @param entry the name of the work tree's own directory in it
 * @throws PaddockError NOT_ALLOWED
 */
export function refuseLinks(common: string, branch: string, entry: string): void {
  // Git appends to a log that exists even if it creates none (log_ref_setup in git's refs/files-backend.c).
  const written = [`refs/heads/${branch}`, `logs/refs/heads/${branch}`, `worktrees/${entry}`].map((each) => path.join(common, each))
  const linked = written.find((each) => kindBelow(common, each) === 'link')
  if (linked !== undefined)
    throw new PaddockError('NOT_ALLOWED', `${linked} leads through a symbolic link, and git would write through it.`, {
      hint: 'Wait until the cells of this project have ended, or remove the link',
    })
}
