import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../../files/read-regular.ts'
import { realOf } from '../../../git/git-settings.ts'
import { contains } from '../../plan/filesystem.ts'
import { indexOf } from '../../plan/held/held-repository.ts'
import type { RunLaterRules } from '../../plan/protected/run-later.ts'
import { isProtected } from '../hidden-in-git.ts'
import type { HeldStart } from './held-start.ts'

const mostBytes = 64 * 1024

/**
 * Returns the linked work trees that a cell added to these repositories, as if all their protected paths were held and none had existed at
 * the start. `before`: git directories of other work trees at the start. Only work trees that are in one of `trees`, without a link on the way, and whose `.git` leads back.
 */
export function newWorkTrees(
  starts: readonly HeldStart[],
  before: ReadonlySet<string>,
  trees: readonly string[],
  rules: RunLaterRules,
): readonly HeldStart[] {
  const known = new Set([...before, ...starts.map((each) => each.git)])
  const repositories = [...new Map(starts.map((each) => [each.common, each])).values()]
  return repositories.flatMap(({ common, idBytes, tips }) =>
    gitDirectoriesIn(path.join(common, 'worktrees')).flatMap((git): readonly HeldStart[] => {
      if (known.has(git)) return []
      const dotGit = lineOf(path.join(git, 'gitdir'))
      const workTree = path.dirname(dotGit)
      const isIn = path.basename(dotGit) === '.git' && realOf(workTree) === workTree && trees.some((each) => contains(each, workTree))
      if (!isIn || lineOf(dotGit) !== `gitdir: ${git}`) return []
      const paths = (indexOf(git, idBytes) ?? []).map((each) => each.path).filter((each) => isProtected(each, rules))
      return [{ git, common, workTree, paths, skipped: [], idBytes, sparse: 'none', clean: [], tips }]
    }),
  )
}

function gitDirectoriesIn(directory: string): readonly string[] {
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(directory, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map((each) => path.join(directory, each.name))
}

function lineOf(file: string): string {
  return (readRegularSync(file, mostBytes) ?? '').replace(/\n$/, '')
}
