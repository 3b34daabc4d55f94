import { existsSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { isIn, pathsTo, realPathOf } from '../../system/paths-to.ts'
import { type FilterMeans, settingsLike } from '../filter-drivers.ts'
import { expandPath, type GitUser } from '../git-settings.ts'

/** A commit that git may sign. */
export interface SigningWish extends Pick<FilterMeans, 'git' | 'project'> {
  readonly user: Pick<GitUser, 'home' | 'name'>
  /** The start of the message, such as "Nothing was applied". */
  readonly state: string
  /** The way to do it without Paddock's check. */
  readonly otherwise: string
}

/**
 * Throws if git would run a program of the project to sign or verify a commit, or a command to find the key, except the usual one: an agent
 * may have written what that runs, or may do so later. A signing program is one file without arguments, which git finds in PATH or from
 * its working directory (git-config(1), gpg.program).
 * @throws PaddockError NOT_ALLOWED
 */
export function refuseOwnSigning({ git, project, user, state, otherwise }: SigningWish): void {
  for (const [key, value] of settingsLike(git, String.raw`^gpg\.(.*\.)?program$`)) {
    const file = inProject(project, value, user)
    if (file === null) continue
    throw new PaddockError('NOT_ALLOWED', `${state}: to sign, git would run ${file} of the project (${key}).`, {
      hint: `Look at it, then ${otherwise}`,
    })
  }
  const setting = (key: string, ...how: readonly string[]): string =>
    git(['config', ...how, '--get', key], '')
      .toString()
      .trim()
  const command = setting('gpg.ssh.defaultKeyCommand')
  if (['', 'ssh-add -L'].includes(command) || setting('gpg.format') !== 'ssh' || setting('user.signingKey') !== '') return
  if (setting('commit.gpgSign', '--type=bool') !== 'true') return
  throw new PaddockError('NOT_ALLOWED', `${state}: to sign, git would run a command (gpg.ssh.defaultKeyCommand).`, {
    hint: `Set user.signingKey, or ${otherwise}`,
  })
}

/** Returns the path of a program that is reached through the project, relative to it; null for others, and for those of PATH. */
function inProject(project: string, program: string, user: SigningWish['user']): string | null {
  if (!program.includes('/')) return null
  const literal = path.resolve(project, program)
  // Older versions of git take ~ for a directory.
  const isHome = program.startsWith('~')
  const files = isHome ? [expandPath(program, user) ?? [], existsSync(literal) ? literal : []].flat() : [literal]
  const roots = [project, realPathOf(project)]
  const found = files.flatMap(pathsTo).find((way) => roots.some((each) => isIn(each, way)))
  return found === undefined ? null : path.relative(roots.find((each) => isIn(each, found)) ?? project, found)
}
