import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { messageOf, PaddockError, redact } from '../../base/errors.ts'
import { formatDuration } from '../../base/quantities.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { type Log, openLog } from '../../run/capture.ts'
import { exitText } from '../../run/exit-text.ts'
import type { Contest } from '../config/brief.ts'
import type { CheckConfig } from '../config/contest-schema.ts'
import { commandMissing } from '../run/command-missing.ts'
import { startContestCell } from '../run/contest-cell.ts'
import type { CheckResult } from '../state/check-result.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { submissionCell, verifyCell } from './check-cells.ts'
import { HostLack, refuseIfLacking } from './host-lack.ts'
import { readReward } from './reward.ts'
import { takeResult } from './take-result.ts'

const outputLength = 4000
const maxCheckLog = 4 * 1024 * 1024

/** The submission that a check is run on. */
export interface Subject {
  readonly name: string
  /** Writes the submission into a directory that does not exist yet. */
  layDown(directory: string): Promise<void>
}

export interface CheckScene {
  readonly contest: Pick<Contest, 'config' | 'layout' | 'root' | 'masks' | 'raw'>
  readonly deps: Pick<ContestDeps, 'startCell' | 'signal' | 'now' | 'paths' | 'place'>
}

type Verdict = Pick<CheckResult, 'result' | 'why' | 'exitCode' | 'reward'>

/**
 * Runs one check on one submission, `repeats` times, in `work`, which is removed before and after. Throws HostLack if the host lacks disk,
 * memory or processes for it.
 */
export async function runCheck(scene: CheckScene, subject: Subject, check: CheckConfig, work: string): Promise<CheckResult> {
  const results: CheckResult[] = []
  while (results.length < check.repeats && !scene.deps.signal.aborted) results.push(await runOnce(scene, subject, check, work))
  const [first] = results
  if (first === undefined) return { ...named(check), ...couldNotRun('stopped on request'), durationMs: 0, output: '' }
  const open = results.find((each) => each.result === 'could-not-run')
  if (results.length === 1 || open !== undefined) return open ?? first
  const rewards = results.map((each) => each.reward ?? 0)
  const isFlaky = new Set(rewards).size > 1
  const worst = results.find((each) => each.reward === Math.min(...rewards)) ?? first
  const durationMs = results.reduce((sum, each) => sum + each.durationMs, 0)
  if (!isFlaky) return { ...worst, durationMs }
  const passed = results.filter((each) => each.result === 'passed').length
  return {
    ...worst,
    durationMs,
    isFlaky,
    why: `it passed ${passed} of ${results.length} runs on the same work; once: ${worst.why}`,
  }
}

async function runOnce(scene: CheckScene, subject: Subject, check: CheckConfig, work: string): Promise<CheckResult> {
  await removeTree(work)
  try {
    await mkdir(work, { recursive: true, mode: 0o700 })
    await using log = await openLog(path.join(work, 'output.log'), maxCheckLog)
    const copy = path.join(work, 'submission')
    await laidDown(subject, copy)
    const ended =
      check.command === undefined
        ? await runAndVerify(scene, subject, check, { work, copy, log })
        : await decideBeside(scene, subject, check, { work, copy, log })
    return { ...named(check), ...ended, output: redact(escapeOutput(log.tail())) }
  } catch (error) {
    refuseIfLacking(error, `check ${check.name} of ${subject.name}`)
    return { ...named(check), ...couldNotRun(messageOf(error)), durationMs: 0, output: '' }
  } finally {
    await removeTree(work)
  }
}

/** Writes a submission. Throws HostLack if its seal was damaged, because that is not the submission's fault. */
async function laidDown(subject: Subject, copy: string): Promise<void> {
  try {
    await subject.layDown(copy)
  } catch (error) {
    if (error instanceof PaddockError && error.code === 'FILES_FAILED') throw new HostLack(error.message, error)
    throw error
  }
}

interface Place {
  readonly work: string
  readonly copy: string
  readonly log: Log
}
type Ended = Verdict & Pick<CheckResult, 'durationMs'>

/** Runs the deciding program in the same cell as the submission. Code of the submission that runs there can forge the decision. */
async function decideBeside(scene: CheckScene, subject: Subject, check: CheckConfig, { work, copy, log }: Place): Promise<Ended> {
  const reward = path.join(work, 'reward')
  await mkdir(reward)
  const out = { source: reward, target: check.rewardAt ?? '/reward', access: 'rw', reason: 'contest' } as const
  const name = `check ${check.name} of ${subject.name}`
  const report = await started(scene, await submissionCell(placed(scene), check, { name, command: check.command ?? '', copy, out }), log)
  return { ...(await verdictOf(report, reward)), durationMs: report.durationMs }
}

/**
 * Runs the submission, collects the files that it left in /result as a seal would, and has them judged in a cell without the submission.
 */
async function runAndVerify(scene: CheckScene, subject: Subject, check: CheckConfig, { work, copy, log }: Place): Promise<Ended> {
  const [left, sealed, result, reward] = ['left', 'sealed', 'result', 'reward'].map((each) => path.join(work, each)) as [
    string,
    string,
    string,
    string,
  ]
  await mkdir(left)
  await mkdir(reward)
  const name = `check ${check.name} of ${subject.name}`
  const out = { source: left, target: '/result', access: 'rw', reason: 'contest' } as const
  const ran = await started(scene, await submissionCell(placed(scene), check, { name, command: check.run ?? '', copy, out }), log)
  if (ran.ending.kind !== 'exited') return { ...verdict(ran), durationMs: ran.durationMs }
  const refused = await takeResult({ copy, left, sealed, result }, { now: scene.deps.now(), scratch: path.join(work, 'scratch') })
  if (refused !== null)
    return { ...failed(`what it left in /result was not accepted: ${refused}`, ran.ending.code), durationMs: ran.durationMs }
  const exit = String(ran.ending.code)
  const spec = verifyCell(placed(scene), check, {
    name: `verify ${check.name} of ${subject.name}`,
    command: check.verify ?? '',
    result,
    reward,
    exit,
  })
  const verified = await started(scene, spec, log)
  const decided = await verdictOf(verified, reward)
  const after = ran.ending.code === 0 || decided.result === 'passed' ? '' : ` (the run ended with ${exitText(ran.ending.code)})`
  return { ...decided, why: decided.why === null ? null : `${decided.why}${after}`, durationMs: ran.durationMs + verified.durationMs }
}

const placed = ({ contest, deps }: CheckScene) => ({ ...contest, base: deps.place })

async function started({ contest, deps }: CheckScene, spec: CellSpec, log: Log): Promise<CellReport> {
  const cell = await startContestCell(contest, deps, spec, { stdin: 'none' })
  const [report] = await Promise.all([cell.done, log.drain(cell.stdout), log.drain(cell.stderr)])
  if (report.ending.kind === 'start-failed') refuseIfLacking(new Error(report.ending.message), spec.name)
  return report
}

/** Returns the verdict of a program. A reward counts only if the program exited with 0. */
async function verdictOf(report: CellReport, reward: string): Promise<Verdict> {
  const decided = verdict(report)
  if (decided.result !== 'passed') return decided
  const given = await readReward(reward)
  if (given.kind === 'none') return decided
  if (given.kind === 'bad') return failed(given.why, 0)
  return given.reward === 1 ? decided : { ...failed(`reward ${given.reward}`, 0), reward: given.reward }
}

function verdict(report: CellReport): Verdict {
  const { ending } = report
  switch (ending.kind) {
    case 'exited':
      return ending.code === 0
        ? { result: 'passed', why: null, exitCode: 0, reward: 1 }
        : failed(commandMissing(ending.code) ?? `exit code ${exitText(ending.code)}`, ending.code)
    case 'out-of-time':
      return failed(`not done after ${formatDuration(report.durationMs)}`)
    case 'start-failed':
      return couldNotRun(ending.message)
    case 'cancelled':
      return couldNotRun('stopped on request')
    default:
      return failed(ending.kind.replaceAll('-', ' '))
  }
}

function failed(why: string, exitCode: number | null = null): Verdict {
  return { result: 'failed', why, exitCode, reward: 0 }
}

function couldNotRun(why: string): Verdict {
  return { result: 'could-not-run', why, exitCode: null }
}

function named({ name, weight }: CheckConfig): Pick<CheckResult, 'name' | 'weight'> {
  return { name, weight }
}

function escapeOutput(text: string): string {
  // Line breaks and colours in the output would become visible escapes, so control characters are removed.
  return text.replace(/[^\P{Cc}\n\t]/gu, '').slice(-outputLength)
}
