import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { kindBelow } from '../files/kind-below.ts'

/**
 * Throws if git would write through a symbolic link. A cell may have made the link in the git directory.
 * @param git a git directory
 * @param written the paths in it that git writes
 * @throws PaddockError NOT_ALLOWED
 */
export function refuseLinks(git: string, written: readonly string[]): void {
  const linked = written.map((each) => path.join(git, each)).find((each) => kindBelow(git, each) === 'link')
  if (linked !== undefined)
    throw new PaddockError('NOT_ALLOWED', `${linked} leads through a symbolic link, and git would write through it.`, {
      hint: 'Wait until the cells of this project have ended, or remove the link',
    })
}

/** Returns the paths of a branch that git writes. It appends to a log that exists even if it creates none (refs/files-backend.c). */
export function writtenOf(branch: string): readonly string[] {
  return [`refs/heads/${branch}`, `logs/refs/heads/${branch}`]
}
