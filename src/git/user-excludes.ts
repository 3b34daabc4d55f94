import { existsSync } from 'node:fs'
import path from 'node:path'
import { expandPath, type GitUser, gitSettings } from './git-settings.ts'

/** Returns the file of ignore patterns for all of the user's projects (gitignore(5), core.excludesFile); null: the file does not exist. */
export function userExcludes(user: GitUser): string | null {
  const { settings } = gitSettings(user.files, user)
  const named = [...settings, ...user.settings].findLast((each) => each.section === 'core' && each.name === 'excludesfile')?.value
  const standing = user.files.filter((each) => path.basename(each) === 'config').map((each) => path.join(path.dirname(each), 'ignore'))
  const files = named ? [expandPath(named, user)] : standing.reverse()
  return files.find((each) => each !== null && path.isAbsolute(each) && existsSync(each)) ?? null
}
