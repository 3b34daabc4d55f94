import { PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { readContest } from '../config/brief.ts'
import { refuseLinkedRecords } from '../config/refuse-linked-records.ts'
import type { ContestResult } from '../report/result.ts'
import { mustRun } from '../run/round.ts'
import { whoRunsAgain } from '../run/runs-again.ts'
import { type ContestOptions, neverRun } from '../run/stage.ts'
import { runContest } from '../stages/run-contest.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { readStatus } from '../state/contest-state.ts'
import { mustAsk } from '../state/counted-judging.ts'
import { standingOf } from '../state/judge-state.ts'

export interface ResumeOptions extends Pick<ContestOptions, 'only' | 'parallel' | 'waitForLimits'> {
  /** With `only`: runs the participant regardless of its outcome. */
  readonly force?: boolean
}

/**
 * `contest resume`: continues a contest that was started, and reruns participants that could not finish. With `only`, it reruns no other
 * participant.
 * @throws PaddockError NOT_FOUND if the contest was never started; BAD_INPUT if the participant in `only` has finished, unless `force`
 */
export async function resumeContest(directory: string, deps: ContestDeps, options: ResumeOptions = {}): Promise<ContestResult> {
  const { force = false, only, ...rest } = options
  const { config, layout } = await readContest(directory)
  await refuseLinkedRecords(layout)
  const status = await readStatus(layout)
  if (status === null) throw neverRun(directory)
  if (force && only === undefined)
    throw new PaddockError('BAD_INPUT', '--force requires --only.', {
      hint: `To have all of them work again, start a new round: paddock contest run --fresh ${shellWord(directory)}`,
    })
  whoRunsAgain(config, { retry: true, ...(only === undefined ? {} : { only }) }, directory)
  if (only !== undefined && !force) {
    const participant = Object.hasOwn(status.participants, only) ? status.participants[only] : undefined
    const isJudge = config.judges.some(({ name }) => name === only)
    const isOpen = isJudge ? mustAsk(only, status.tasks, true) : participant === undefined || mustRun(participant, true)
    const outcome = (isJudge ? standingOf(only, status.tasks) : participant)?.outcome
    if (!isOpen)
      throw new PaddockError(
        'BAD_INPUT',
        `${only} has ended${outcome == null ? '' : ` (${outcome.kind})`}, so there is nothing to resume.`,
        {
          hint: `To run it again: paddock contest resume --only ${only} --force ${shellWord(directory)}`,
        },
      )
  }
  return await runContest(directory, deps, {
    ...rest,
    command: 'paddock contest resume',
    retry: true,
    ...(only === undefined ? {} : { only }),
  })
}
