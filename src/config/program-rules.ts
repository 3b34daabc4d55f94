import path from 'node:path'
import type { Paths } from '../base/paths.ts'
import { hasRepository } from '../git/project.ts'
import type { ProgramRules } from '../system/host-program.ts'
import { isIn, realPathOf } from '../system/paths-to.ts'
import { writableTrees } from '../system/writable-trees.ts'

/**
 * Returns the rules for programs in PATH: none may be in the working directory, in a git repository, in a directory that a cell could write
 * to, or in Paddock's own directories. The home directory itself, and directories above it, are neither a project nor a working directory.
 * `cwd`: the working directory; null if it was removed. `own`: the directories of `host.path`.
 */
export function programRules(paths: Paths, cwd: string | null, own: readonly string[]): ProgramRules {
  const home = realPathOf(paths.userHome)
  const isAboveHome = (directory: string): boolean => isIn(directory, home)
  return {
    own,
    refusals() {
      const written = [...writableTrees(paths.state), ...[paths.state, paths.data, paths.cache].flatMap((each) => [each, realPathOf(each)])]
      return (file) => {
        if (cwd !== null && !isAboveHome(cwd) && isIn(cwd, file)) return `it is in the working directory ${cwd}`
        const tree = written.find((each) => isIn(each, file))
        if (tree !== undefined) return `agents could write to ${tree}`
        for (let each = file; !isAboveHome(each); each = path.dirname(each)) {
          try {
            if (hasRepository(each)) return `it is in the git repository ${each}`
          } catch {
            return `${each} cannot be looked into`
          }
        }
        return null
      }
    },
  }
}
