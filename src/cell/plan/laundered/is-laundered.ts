import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../../files/read-regular.ts'
import { readGitConfig } from '../../../git/config-syntax.ts'
import { partAt } from './git-parts.ts'
import { launderedConfig } from './laundered-config.ts'

const mostEntries = 20_000
const mostBytes = 1024 ** 2

/**
 * Returns true for a git directory in the form that laundering gives it: the config has the same text, and each entry would stay. Git writes
 * configs in another form, so a repository of the user is not in it. `isOwnPath`: true for the path of a repository that the config may name.
 */
export function isLaundered(git: string, isOwnPath: (file: string) => boolean): boolean {
  const text = readRegularSync(path.join(git, 'config'), mostBytes)
  if (text === null || text === '') return false
  const { entries, badLine } = readGitConfig(text)
  if (badLine !== null || launderedConfig(entries, { isOwnPath, workTree: null }).text !== text) return false
  try {
    const queue: (readonly string[])[] = [[]]
    let seen = 0
    for (let names = queue.pop(); names !== undefined; names = queue.pop())
      for (const each of readdirSync(path.join(git, ...names), { withFileTypes: true })) {
        const inside = [...names, each.name]
        if (++seen > mostEntries || !(each.isFile() || each.isDirectory())) return false
        if (
          !['keep', 'config', 'head', 'ref', 'packed-refs', 'ids', 'index'].includes(
            partAt(inside, each.isFile() ? 'file' : 'directory', false),
          )
        )
          return false
        if (each.isDirectory()) queue.push(inside)
      }
    return lstatSync(path.join(git, 'HEAD')).isFile()
  } catch {
    return false
  }
}
