import { closeSync, constants, existsSync, lchownSync, lstatSync, openSync } from 'node:fs'
import path from 'node:path'
import { entriesOf } from '../../files/entries-of.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { configFileOf } from '../../git/config-put-aside.ts'
import { hostProgram } from '../../system/host-program.ts'
import { spawnSync } from '../../system/start-program.ts'
import type { DeclaredSubmodules } from '../plan/submodules/declared.ts'
import { type ConfigChanges, configChanges } from '../trees/config-changes.ts'
import type { ConfigStart } from '../trees/config-views.ts'

const mostBytes = 1024 ** 2
const mostPackedBytes = 64 * 1024 ** 2

/**
 * Writes what was taken into the config of a git directory, with git, which takes the lock. Returns the keys that could not be written. Never
 * throws because of the files.
 */
function writeConfigChanges(git: string, { taken }: Pick<ConfigChanges, 'taken'>): readonly string[] {
  const program = hostProgram('git', '/usr/local/bin:/usr/bin:/bin')
  if (taken.size === 0) return []
  if (program === null) return [...taken.keys()]
  try {
    return inDirectory(configFileOf(git), (safe) => {
      const directory = openSync(path.dirname(safe), constants.O_RDONLY | constants.O_DIRECTORY)
      try {
        const { uid, gid } = lstatSync(safe)
        const failed = setIn(program, directory, taken)
        if (process.getuid?.() === 0) lchownSync(safe, uid, gid)
        return failed
      } finally {
        closeSync(directory)
      }
    })
  } catch {
    return [...taken.keys()]
  }
}

/** Writes settings into `config` in an open directory. Returns the keys for which git failed. */
function setIn(program: string, directory: number, taken: ConfigChanges['taken']): readonly string[] {
  const set = (...words: readonly string[]): number | null =>
    spawnSync(program, ['config', '--file', '/proc/self/fd/3/config', ...words], {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'ignore', directory],
      env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    }).status
  const failed = [...taken].filter(([key, values]) => {
    // Exit code 5: there is no such key. It is gone meanwhile.
    const isGone = [0, 5].includes(set('--unset-all', key) ?? 1)
    return !isGone || !values.every((each) => set('--add', key, each) === 0)
  })
  return failed.map(([key]) => key)
}

/**
 * Returns true for a branch of a repository, with loose or packed refs (gitrepository-layout(5)), and for one that is checked out, which git does
 * not delete. In other formats, every name counts.
 */
function hasBranch(git: string, name: string): boolean {
  const workTrees = entriesOf(path.join(git, 'worktrees')).map((each) => path.join(git, 'worktrees', each.name))
  if ([git, ...workTrees].some((each) => readRegularSync(path.join(each, 'HEAD'), 4096)?.trim() === `ref: refs/heads/${name}`)) return true
  if (existsSync(path.join(git, 'reftable'))) return true
  if (lstatSync(path.join(git, 'refs/heads', name), { throwIfNoEntry: false }) !== undefined) return true
  return (readRegularSync(path.join(git, 'packed-refs'), mostPackedBytes) ?? '').includes(` refs/heads/${name}\n`)
}

/**
 * Writes the settings that an ended cell may change from its copies of configs into these configs. Returns what was written and what was left
 * out, for each config in which a setting differs.
 */
export function settleConfigs(
  copies: readonly { readonly start: ConfigStart; readonly text: string | null }[],
  submodules: readonly DeclaredSubmodules[],
): readonly { readonly path: string; readonly written: readonly string[]; readonly left: readonly string[] }[] {
  return copies.flatMap(({ start, text }) => {
    const git = path.dirname(start.config)
    const declared = new Set(submodules.flatMap((each) => (each.config === start.config ? each.submodules.map(({ name }) => name) : [])))
    const current = readRegularSync(configFileOf(git), mostBytes) ?? ''
    const end = { declared, hasBranch: (name: string) => hasBranch(git, name), current }
    const { taken, left } = configChanges(start.text, text ?? start.text, end)
    const failed = new Set(writeConfigChanges(git, { taken }))
    const written = [...taken.keys()].filter((each) => !failed.has(each))
    const all = { path: start.config, written, left: [...left, ...failed] }
    return written.length + all.left.length > 0 ? [all] : []
  })
}
