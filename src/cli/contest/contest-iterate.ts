import { PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { shellWord } from '../../base/shell-word.ts'
import { addToContest } from '../../contest/iterate/add.ts'
import { chefContest } from '../../contest/iterate/chef.ts'
import { refineContest } from '../../contest/iterate/refine.ts'
import { resumeContest } from '../../contest/iterate/resume-contest.ts'
import { type RoleWish, roleFrom } from '../../contest/iterate/role-from.ts'
import type { Summary } from '../../contest/ranking/contest-summary.ts'
import type { ContestResult } from '../../contest/report/result.ts'
import { rejudgeContest } from '../../contest/stages/run-contest.ts'
import type { ContestDeps } from '../../contest/state/contest-deps.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { resultAnswer } from './contest.ts'
import { onContestHost } from './contest-host.ts'
import { type Pacing, pacing } from './pace-options.ts'

interface Shown extends Pacing {
  readonly quiet?: boolean
}

/** `paddock contest refine`: starts a new round from the sealed submissions. */
export async function contestRefine(
  directory: string,
  options: Shown & { readonly only?: readonly string[]; readonly feedback?: string },
): Promise<Answer<Summary>> {
  const { only, feedback } = options
  const asked = { ...pacing(options), ...(only === undefined ? {} : { only }), ...(feedback === undefined ? {} : { feedback }) }
  return await toReport(directory, options, (deps) => refineContest(directory, deps, asked))
}

/** `paddock contest rejudge`: has the sealed submissions judged again under new labels. */
export async function contestRejudge(directory: string, options: Shown): Promise<Answer<Summary>> {
  return await toReport(directory, options, (deps) => rejudgeContest(directory, deps, pacing(options)))
}

/** `paddock contest resume`: continues an interrupted contest. */
export async function contestResume(
  directory: string,
  options: Shown & { readonly only?: string; readonly force?: boolean },
): Promise<Answer<Summary>> {
  const { only, force } = options
  const asked = { ...pacing(options), ...(only === undefined ? {} : { only }), ...(force === undefined ? {} : { force }) }
  return await toReport(directory, options, (deps) => resumeContest(directory, deps, asked))
}

/** Options that describe a new participant or judge. */
interface Joining {
  readonly model?: string
  readonly family?: string
  readonly files?: string
}

/** `paddock contest chef`: adds a participant that combines the best parts of the other submissions. */
export async function contestChef(
  directory: string,
  command: readonly string[],
  options: Shown & Joining & { readonly as?: string; readonly base?: string; readonly donors?: readonly string[] },
): Promise<Answer<Summary>> {
  const { as, base, donors } = options
  if (
    as === undefined &&
    (command.length > 0 || options.model !== undefined || options.family !== undefined || options.files !== undefined)
  )
    throw new PaddockError('BAD_INPUT', '--model, --family, --files and a command require --as.', { hint: 'For example: --as chef=claude' })
  const asked = {
    ...pacing(options),
    ...(as === undefined ? {} : { as: wishOf(as, command, options) }),
    ...(base === undefined ? {} : { base }),
    ...(donors === undefined ? {} : { donors }),
  }
  return await toReport(directory, options, (deps) => chefContest(directory, deps, asked))
}

/** `paddock contest add`: adds a participant or judge to contest.yaml. Starts nothing. */
export async function contestAdd(
  directory: string,
  who: string,
  command: readonly string[],
  options: Joining & { readonly judge?: boolean },
): Promise<Answer<Result<'contest add'>>> {
  const group = options.judge === true ? 'judges' : 'participants'
  const role = roleFrom(wishOf(who, command, options), 'contest add')
  await addToContest(directory, { paths: resolvePaths(process.env) }, 'paddock contest add', async () => ({ group, role }))
  return {
    data: { schemaVersion: 1, group, role },
    notes: [
      `${role.name} is in contest.yaml; to continue: paddock contest ${group === 'judges' ? 'judge' : 'run'} ${shellWord(directory)}`,
    ],
  }
}

function wishOf(who: string, command: readonly string[], { model, family, files }: Joining): RoleWish {
  return {
    who,
    command,
    ...(model === undefined ? {} : { model }),
    ...(family === undefined ? {} : { family }),
    ...(files === undefined ? {} : { files }),
  }
}

async function toReport(directory: string, options: Shown, act: (deps: ContestDeps) => Promise<ContestResult>): Promise<Answer<Summary>> {
  return await onContestHost(options, async (deps, view) => {
    const result = await act(deps)
    view.end()
    return resultAnswer(result, directory)
  })
}
