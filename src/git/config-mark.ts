import { createHash } from 'node:crypto'
import { readRegularSync } from '../files/read-regular.ts'
import { type GitConfigEntry, readGitConfig } from './config-syntax.ts'

const mostBytes = 1024 ** 2

/**
 * Returns a digest of everything in a git configuration that could run a program or point elsewhere. It excludes the settings of branches
 * (`branch.NAME.…`) that `git push -u`, `git switch --track` and editors write, if they follow a remote of the configuration. Null if the
 * file does not exist, or if git would refuse it.
 */
export function gitConfigMark(file: string): string | null {
  const text = readRegularSync(file, mostBytes)
  if (text === null) return null
  const { entries, badLine } = readGitConfig(text)
  if (badLine !== null) return null
  const remotes = new Set(['.', ...entries.map((each) => /^remote\.(.+)\.url$/s.exec(each.key)?.[1])])
  const isFollowing = ({ key, value }: GitConfigEntry): boolean => {
    const name = /^branch\..+\.([a-z0-9-]+)$/s.exec(key)?.[1]
    if (name === 'remote' || name === 'pushremote') return remotes.has(value ?? undefined)
    return name !== undefined && name !== 'mergeoptions'
  }
  return createHash('sha256')
    .update(JSON.stringify(entries.filter((each) => !isFollowing(each))))
    .digest('hex')
}
