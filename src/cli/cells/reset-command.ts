import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { projectAround } from '../../git/project.ts'
import { openCells } from '../../host.ts'
import { privateHome } from '../../run/private-home.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { workingDirectory } from '../working-directory.ts'

/** `paddock reset`: deletes the private homes of a project, or that of one agent. */
export async function resetCommand(given: string | undefined, agent: string | undefined): Promise<Answer<Result<'reset'>>> {
  const paths = resolvePaths(process.env)
  const project = given === undefined ? projectAround(workingDirectory(), paths.userHome) : realOf(given)
  const cells = openCells(paths, process.env)
  const homes = cells.homes(path.dirname(privateHome(project, 'any', paths.state)))
  if (homes.length === 0 && !existsSync(project))
    throw new PaddockError('NOT_FOUND', `There is no directory ${project}, and no agent has a private home for it.`, {
      hint: 'Name the project before the agent: paddock reset . claude',
    })
  const chosen = homes.filter((each) => agent === undefined || path.basename(each) === agent)
  const names = homes.map((each) => path.basename(each))
  if (agent !== undefined && chosen.length === 0)
    throw new PaddockError('NOT_FOUND', `${agent} has no private home in ${project}.`, {
      hint: names.length === 0 ? 'No agent has one there' : `These agents have one: ${names.join(', ')}`,
    })
  for (const each of chosen) await cells.resetHome(each)
  const agents = chosen.map((each) => path.basename(each))
  return {
    data: { schemaVersion: 1, project, agents },
    notes: [
      agents.length === 0
        ? `no agent has a private home in ${project}`
        : `deleted in ${project}: the private ${agents.length === 1 ? 'home' : 'homes'} of ${agents.join(', ')}`,
    ],
  }
}

/** Returns the real path of a project, which may be gone: its homes may stay. */
function realOf(project: string): string {
  const absolute = path.resolve(workingDirectory(), project)
  try {
    return realpathSync(absolute)
  } catch {
    return absolute
  }
}
