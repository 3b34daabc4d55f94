import { existsSync } from 'node:fs'
import { findAdapter } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { runChecks } from '../checks/run-checks.ts'
import { Layout } from '../config/contest-layout.ts'
import { judgesWithWork } from '../config/sense.ts'
import { runJudging } from '../judging/run-judging.ts'
import { currentReport } from '../report/current-report.ts'
import { reportOf } from '../report/report-contest.ts'
import type { ContestResult } from '../report/result.ts'
import { warnOfSecrets } from '../run/contest-secrets-ahead.ts'
import { inContestSpan } from '../run/contest-span.ts'
import { readyContest } from '../run/ready.ts'
import type { ReadyRole } from '../run/role.ts'
import { mustRun, runRound } from '../run/round.ts'
import { type ContestOptions, onStage, stopIfCancelled } from '../run/stage.ts'
import { deliveredSubmissions, type Submission } from '../seal/delivered.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import type { ContestStatus } from '../state/contest-state.ts'
import { mustAsk } from '../state/counted-judging.ts'
import { type Scene, scratchOf, tell } from '../state/scene.ts'

/**
 * `contest run`: continues a contest to its report. Throws BAD_INPUT, AGENT_NOT_INSTALLED, LOGIN_NEEDED
 * before anything runs; BUSY while another process works on the contest; CANCELLED after `deps.signal`, with all
 * finished work kept.
 */
export async function runContest(directory: string, deps: ContestDeps, options: ContestOptions = {}): Promise<ContestResult> {
  return await onStage(
    directory,
    deps,
    options,
    options.command ?? 'paddock contest run',
    inContestSpan('run', async (scene) => {
      const working = judgesWithWork(scene.contest.config, findAdapter)
      const wanted = (role: string, name: string): boolean =>
        role === 'judges' ? working.includes(name) : name === scene.only || mustRun(scene.journal.participant(name), scene.retry)
      const { participants, judges } = await readyContest(scene.contest, wanted, scene.deps)
      await warnOfSecrets(scene, participants)
      await runRound(scene, participants)
      stopIfCancelled(scene)
      await runChecks(scene)
      stopIfCancelled(scene)
      const submissions = isMissing(scene) ? [] : await deliveredSubmissions(scene)
      if (judges.length > 0 && submissions.length > 0) await runJudging(scene, judges, submissions, false)
      stopIfCancelled(scene)
      return await report(scene)
    }),
  )
}

/**
 * Returns true if the budget kept a participant from starting. Judges are not asked then, because they would be asked about all submissions
 * again when it has run.
 */
function isMissing({ contest, journal }: Scene): boolean {
  return contest.config.participants.some(({ name }) => journal.participant(name).state === 'pending')
}

type JudgeOptions = Omit<ContestOptions, 'fresh' | 'only' | 'begin'>

/** `contest judge`: runs only the judging. Continues an unfinished one; if all judges are done, they judge again under new labels. */
export async function judgeContest(directory: string, deps: ContestDeps, options: JudgeOptions = {}): Promise<ContestStatus> {
  return await onStage(
    directory,
    deps,
    options,
    'paddock contest judge',
    inContestSpan('judge', async (scene) => {
      const { journal, retry } = scene
      const { judges, submissions } = await readyToJudge(scene, directory)
      const done = judges.every(({ name }) => !mustAsk(name, journal.status.tasks, retry))
      await runJudging(scene, judges, submissions, done)
      stopIfCancelled(scene)
      return journal.status
    }),
  )
}

/** `contest rejudge`: deals new labels, has all judges judge again, and writes the report. Runs no participant. */
export async function rejudgeContest(directory: string, deps: ContestDeps, options: JudgeOptions = {}): Promise<ContestResult> {
  return await onStage(
    directory,
    deps,
    options,
    'paddock contest rejudge',
    inContestSpan('rejudge', async (scene) => {
      const { judges, submissions } = await readyToJudge(scene, directory)
      await runJudging(scene, judges, submissions, true)
      stopIfCancelled(scene)
      return await report(scene)
    }),
  )
}

/**
 * Writes the report of a contest in which nothing is left to run if it is missing or older than the results, and removes temporary files of
 * a killed process. Starts no cell.
 */
export async function finishContest(directory: string, deps: ContestDeps, command: string): Promise<void> {
  const isFinished = (await currentReport(directory)) !== null && !existsSync(scratchOf(deps, new Layout(directory).root))
  if (!isFinished) await onStage(directory, deps, {}, command, report)
}

async function readyToJudge(
  scene: Scene,
  directory: string,
): Promise<{ readonly judges: readonly ReadyRole[]; readonly submissions: readonly Submission[] }> {
  const { contest, deps } = scene
  if (contest.config.judges.length === 0)
    throw new PaddockError('BAD_INPUT', 'contest.yaml, judges: The list is empty.', { hint: 'Add one under judges:' })
  const working = judgesWithWork(contest.config, findAdapter)
  const { judges } = await readyContest(contest, (role, name) => role === 'judges' && working.includes(name), deps)
  const submissions = await deliveredSubmissions(scene)
  if (submissions.length === 0) {
    throw new PaddockError('NOT_FOUND', `There is no sealed submission in ${contest.layout.root} yet.`, {
      hint: `Run: paddock contest run ${shellWord(directory)}`,
    })
  }
  return { judges, submissions }
}

async function report(scene: Scene): Promise<ContestResult> {
  const result = await reportOf(scene.contest, scene.journal.status, scene.deps.now())
  await tell(scene, { type: 'reported', ...result.files })
  return result
}
