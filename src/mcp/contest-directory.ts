import { realpathSync } from 'node:fs'
import path from 'node:path'
import { codeOf, PaddockError } from '../base/errors.ts'
import { contestDirectories, suiteDirectories } from '../fleet/contests/allowed-directories.ts'
import { type NamedDirectories, realBelow } from '../fleet/manifest/project-rights.ts'

/** The contests and suites that a client may name, which are in one directory of this machine and its subdirectories. */
export interface ContestsBelow {
  /** Returns the names of the contests relative to the root. `.` is the root itself. */
  names(): readonly string[]
  /** Returns the names of the suites in the same way. */
  suites(): readonly string[]
  /**
   * Returns the real path of a contest or suite. `listing`: the tool that lists them, for hints.
   * @throws PaddockError NOT_ALLOWED if the path is outside of the root, also through links. The error does not reveal if the path exists.
   */
  directory(name: string, listing?: 'list_contests' | 'list_suites'): string
  /** Returns the name of the contest at a real path. */
  nameOf(directory: string): string
}

/** Returns the contests under a root. @throws PaddockError BAD_INPUT if the directory does not exist */
export function contestsBelow(root: string, userHome: string): ContestsBelow {
  const real = realRoot(root)
  const directories: NamedDirectories = { allowed: [real], agents: [], userHome, key: 'fleet.contests' }
  const nameOf = (directory: string): string => path.relative(real, directory) || '.'
  return {
    names: () => contestDirectories(directories).map(nameOf),
    suites: () => suiteDirectories(directories).map(nameOf),
    directory(name, listing = 'list_contests') {
      const found = realBelow(path.resolve(real, name), directories)
      if (found !== null) return found
      throw new PaddockError('NOT_ALLOWED', `${name} is not a directory below ${root}.`, {
        hint: `Call ${listing} to see which there are`,
      })
    },
    nameOf,
  }
}

function realRoot(root: string): string {
  try {
    return realpathSync(root)
  } catch (error) {
    const code = codeOf(error)
    throw new PaddockError('BAD_INPUT', `--root ${root} cannot be read (${code}).`, {
      hint: 'Name the directory that your contests are in',
    })
  }
}
