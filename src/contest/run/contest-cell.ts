import { existsSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { CellSpec } from '../../cell/plan/spec.ts'
import { isIn } from '../../system/paths-to.ts'
import type { Contest } from '../config/brief.ts'
import { Layout } from '../config/contest-layout.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { knownContests } from '../state/known-contests.ts'
import { readProject } from '../state/project-file.ts'

type About = Pick<Contest, 'layout' | 'root'>
type StartMeans = Pick<ContestDeps, 'startCell' | 'signal' | 'paths'>

/** Starts a cell of a contest. At L1, it does not have the directories of `hiddenFrom`. */
export async function startContestCell(
  contest: About,
  { startCell, signal, paths }: StartMeans,
  spec: CellSpec,
  io: Parameters<ContestDeps['startCell']>[1],
): ReturnType<ContestDeps['startCell']> {
  const hidden = spec.posture === 'L1' ? { hidden: await hiddenFrom(contest, paths) } : {}
  return await startCell({ ...spec, ...hidden }, io, signal)
}

/**
 * Returns the directories that no cell of a contest may see, because they have the work of others, seals, hidden checks or solutions: the
 * contest, the suite that it belongs to, all other known contests and those next to it, the project that it was made from, and the
 * repository or collection that the suite was made from.
 */
export async function hiddenFrom({ layout, root }: About, { state, userHome }: ContestDeps['paths']): Promise<readonly string[]> {
  const top = outermost(root)
  const known = knownContests(state)
  return [
    ...new Set([
      layout.root,
      root,
      top,
      ...collectionOf(top, userHome),
      ...known.filter((each) => isContest(each.root) || hasWork(each.root)).map((each) => each.root),
      ...known.flatMap((each) => (each.from !== undefined && isIn(each.root, root) ? [each.from] : [])),
      ...(existsSync(layout.project) ? [(await readProject(layout)).project] : []),
    ]),
  ]
}

const isContest = (directory: string): boolean =>
  existsSync(new Layout(directory).config) ||
  existsSync(path.join(directory, 'suite.yaml')) ||
  existsSync(path.join(directory, 'brief.yaml'))

/** Returns true if a contest or suite has left work or its state in a directory, whose contest.yaml may have been moved away. */
function hasWork(directory: string): boolean {
  const { rounds, judgings, events, consultations } = new Layout(directory)
  return [rounds, judgings, events, consultations, path.join(directory, 'runs')].some((each) => existsSync(each))
}

/** Returns the outermost directory around a contest, or itself, that is a contest or a suite. */
function outermost(root: string): string {
  let found = root
  for (let at = path.dirname(root); at !== path.dirname(at); at = path.dirname(at)) if (isContest(at)) found = at
  return found
}

/** Returns the contests next to one; or the directory that has them all, if there is nothing else in it, which then hides later ones too. */
function collectionOf(top: string, userHome: string): readonly string[] {
  const parent = path.dirname(top)
  const home = existsSync(userHome) ? realpathSync(userHome) : userHome
  const directories = readdirSync(parent, { withFileTypes: true }).filter((each) => each.isDirectory() && !each.name.startsWith('.'))
  const contests = directories.map((each) => path.join(parent, each.name)).filter(isContest)
  return contests.length === directories.length && !isIn(parent, home) ? [parent] : contests
}
