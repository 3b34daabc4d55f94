import { closeSync, fchmodSync, fchownSync, lstatSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inDirectory } from '../../files/in-directory.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { configFileOf } from '../../git/config-put-aside.ts'
import { gitConfigText } from '../../git/write-config.ts'
import { type DeclaredSubmodule, type DeclaredSubmodules, declaredSubmodules, settingsOf } from '../plan/submodules/declared.ts'
import type { SubmoduleEntry } from '../report.ts'

const mostBytes = 1024 ** 2

/**
 * Writes the settings of submodules that a cell checked out or added into the configs of their repositories, as `git submodule init` would have
 * done. Those of submodules that .gitmodules declared at the start are from then; those of others are from the present file, which the cell
 * wrote. Those are never written into a config that other work trees share. `laundered`: absolute paths of the git directories that the cell
 * made and that stay. Returns the submodules that could not be registered. Never throws because of the files.
 */
export function registerSubmodules(
  repositories: readonly DeclaredSubmodules[],
  laundered: ReadonlySet<string>,
  isShared: (config: string) => boolean,
): readonly SubmoduleEntry[] {
  return repositories.flatMap(({ git, config, workTree, workTreeInCell = '', submodules }) => {
    const isMade = ({ name }: Pick<DeclaredSubmodule, 'name'>): boolean => laundered.has(path.join(git, 'modules', name))
    const common = path.dirname(config)
    const now = workTree === undefined ? null : declaredSubmodules(git, common, workTree, workTreeInCell)
    const names = new Set(submodules.map((each) => each.name))
    const more = (now?.submodules ?? []).filter((each) => !names.has(each.name))
    const made = [...submodules, ...(isShared(config) ? [] : more)].filter(isMade)
    const settings = made.flatMap((each) => [{ key: `submodule.${each.name}.active`, value: 'true' }, ...settingsOf(each)])
    const isWritten = made.length > 0 && append(configFileOf(common), gitConfigText(settings))
    const left = [...(isWritten ? [] : made), ...(isShared(config) ? more : []).filter(isMade), ...(now?.unusable ?? []).filter(isMade)]
    return left.map((each) => ({ workTree: workTree ?? path.dirname(git), path: each.path ?? each.name }))
  })
}

/** Appends text to a config under the lock that git takes (git-config(1)). Returns false, without a change, if that is not possible. */
function append(file: string, text: string): boolean {
  try {
    return inDirectory(file, (safe) => {
      const before = readRegularSync(safe, mostBytes)
      if (before === null) return false
      const { mode, uid, gid } = lstatSync(safe)
      const lock = `${safe}.lock`
      const descriptor = openSync(lock, 'wx', 0o600)
      try {
        if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
        fchmodSync(descriptor, mode & 0o777)
        writeFileSync(descriptor, `${before.replace(/\n?$/, '\n')}${text}`)
        renameSync(lock, safe)
      } catch (error) {
        unlinkSync(lock)
        throw error
      } finally {
        closeSync(descriptor)
      }
      return true
    })
  } catch {
    return false
  }
}
