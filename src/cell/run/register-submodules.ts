import { closeSync, fchmodSync, fchownSync, lstatSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inDirectory } from '../../files/in-directory.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { configFileOf } from '../../git/config-aside.ts'
import { gitConfigText } from '../../git/write-config.ts'
import { type DeclaredSubmodules, settingsOf } from '../plan/submodules/declared.ts'

const mostBytes = 1024 ** 2

/**
 * Writes the settings of submodules that a cell checked out into the configs of their repositories, as `git submodule init` would have done. The
 * settings are from the .gitmodules file of the start, which the cell could not change. `laundered`: absolute paths of the git directories that
 * the cell made and that stay. Returns the names of submodules that could not be registered. Never throws because of the files.
 */
export function registerSubmodules(repositories: readonly DeclaredSubmodules[], laundered: ReadonlySet<string>): readonly string[] {
  return repositories.flatMap(({ git, config, submodules }) => {
    const made = submodules.filter((each) => laundered.has(path.join(git, 'modules', each.name)))
    const settings = made.flatMap((each) => [{ key: `submodule.${each.name}.active`, value: 'true' }, ...settingsOf(each)])
    return made.length === 0 || append(configFileOf(path.dirname(config)), gitConfigText(settings)) ? [] : made.map((each) => each.name)
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
