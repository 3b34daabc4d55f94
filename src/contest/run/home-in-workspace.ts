import { contains } from '../../cell/plan/filesystem.ts'
import type { Contest } from '../config/brief.ts'
import type { SenseProblem } from '../config/sense.ts'
import type { ContestDeps } from '../state/contest-deps.ts'

/** Returns the directories of the workspace that would cover the home directory of this user's cells. */
export function homeInWorkspace({ config }: Pick<Contest, 'config'>, { paths }: Pick<ContestDeps, 'paths'>): readonly SenseProblem[] {
  const directories = config.workspace?.directories ?? []
  return [...directories.entries()].flatMap(([index, each]) => {
    if (!contains(each, paths.userHome)) return []
    const message = `${each === paths.userHome ? 'is' : 'contains'} your home directory, which cells have for their agents`
    return [{ path: ['workspace', 'directories', index], message }]
  })
}
