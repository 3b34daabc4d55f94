import { createHash } from 'node:crypto'
import { readRegularSync } from '../files/read-regular.ts'
import { type GitConfigEntry, readGitConfig } from './git-config-syntax.ts'

const mostBytes = 1024 ** 2

/**
 * Returns a digest of all in a configuration of git that could run or lead anywhere: everything but which branch follows which one of a
 * remote that it has (`branch.NAME.remote`, `branch.NAME.merge`), which `git push -u` and `git switch --track` write. Null if there is no
 * such file, or git would refuse it.
 */
export function gitConfigMark(file: string): string | null {
  const text = readRegularSync(file, mostBytes)
  if (text === null) return null
  const { entries, badLine } = readGitConfig(text)
  if (badLine !== null) return null
  const remotes = new Set(['.', ...entries.map((each) => /^remote\.(.+)\.url$/s.exec(each.key)?.[1])])
  const isFollowing = ({ key, value }: GitConfigEntry): boolean =>
    /^branch\..+\.merge$/s.test(key) || (/^branch\..+\.remote$/s.test(key) && remotes.has(value ?? undefined))
  return createHash('sha256')
    .update(JSON.stringify(entries.filter((each) => !isFollowing(each))))
    .digest('hex')
}
