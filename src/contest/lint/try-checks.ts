import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { type CheckScene, runCheck, type Subject } from '../checks/check.ts'
import { emptySubmission, oracleSubmission, sealedOracle } from '../checks/reference-solution.ts'
import type { Contest } from '../config/brief.ts'
import type { CheckConfig } from '../config/contest-schema.ts'
import { pool } from '../run/pool.ts'
import { setUpTree } from '../run/set-up-tree.ts'
import type { CheckResult } from '../state/check-result.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import type { Slots } from '../state/slots.ts'
import type { Finding } from './lint-finding.ts'
import { likelyFiles } from './named-files.ts'
import { onlyEnd } from './only-ends.ts'

/** The results of one check on each trial. */
export interface TriedCheck {
  readonly name: string
  readonly empty: CheckResult
  /** Null: not tried, because nothing tells which files a submission has. */
  readonly onlyEnds: CheckResult | null
  /** Null: there is no oracle. */
  readonly oracle: CheckResult | null
}

export interface Trial {
  readonly tried: readonly TriedCheck[]
  readonly findings: readonly Finding[]
}

interface Trials extends CheckScene {
  readonly contest: Contest
  readonly deps: ContestDeps
  readonly slots: Slots
  /** A host directory for temporary files. */
  readonly scratch: string
}

/**
 * Tries each check on an empty submission and on one whose files only exit with success, and on the oracle. The check must fail on the
 * first two and pass on the oracle.
 */
export async function tryChecks(trials: Trials, ended: (check: TriedCheck) => void): Promise<Trial> {
  const { contest, scratch } = trials
  const { checks } = contest.config
  const findings: Finding[] = []
  const oracle = await sealedOracle(trials)
  if (oracle === null)
    findings.push({
      level: 'advice',
      key: 'oracle',
      message: 'is missing: a directory with a right answer would show that the checks can be passed',
    })
  else if (oracle.problem !== null) findings.push({ level: 'fault', key: 'oracle', message: oracle.problem })
  const likely = await likelyFiles(contest)
  const files = [...new Set([...(oracle?.seal.files.map((each) => each.path) ?? []), ...likely.files])]
  const lay = oracle === null ? (directory: string) => mkdir(directory).then(() => {}) : oracle.layDown
  const empty = emptySubmission(trials)
  const onlyEnds: Subject = {
    name: 'one that only ends',
    layDown: async (directory) => {
      await lay(directory)
      await onlyEnd(directory, { ...likely, files })
      // Its files are not those that the command of a setup expects.
      await setUpTree(trials, directory, { isAgents: true, say: () => undefined })
    },
  }
  const tried = new Map<string, TriedCheck>()
  await pool([...checks.entries()], trials.slots, trials.deps.signal, async ([index, check]) => {
    const on = (subject: Subject, repeats: number): Promise<CheckResult> =>
      runCheck(trials, subject, { ...check, repeats }, path.join(scratch, 'checks', check.name))
    const one = {
      name: check.name,
      empty: await on(empty, 1),
      onlyEnds: files.length === 0 ? null : await on(onlyEnds, 1),
      oracle: oracle === null ? null : await on(oracleSubmission(trials, oracle), check.repeats),
    }
    if (trials.deps.signal.aborted) return
    tried.set(check.name, one)
    findings.push(...faultsOf(one, check, index))
    ended(one)
  })
  return { tried: checks.flatMap(({ name }) => tried.get(name) ?? []), findings }
}

function faultsOf({ empty, onlyEnds, oracle }: TriedCheck, check: CheckConfig, index: number): Finding[] {
  const fault = (message: string): Finding => ({ level: 'fault', key: `checks[${index}]`, message: `${check.name} ${message}` })
  const stuck = [empty, onlyEnds, oracle].find((each) => each?.result === 'could-not-run')
  if (stuck) return [fault(`could not be tried: ${stuck.why}`)]
  const found: Finding[] = []
  if (empty.result === 'passed') found.push(fault('passes an empty submission, so it does not distinguish submissions'))
  else if (onlyEnds?.result === 'passed')
    found.push(
      fault(
        check.command === undefined
          ? 'passes a submission whose files do nothing but end with success: have verify look for a result in /result'
          : 'passes a submission whose files do nothing but end with success: it decides where the submission runs; write run and verify',
      ),
    )
  if (oracle?.isFlaky === true) found.push(fault(`gives different results on the same work: ${oracle.why}`))
  else if (oracle?.result === 'failed') found.push(fault(`fails the oracle: ${oracle.why}${lastLine(oracle.output)}`))
  return found
}

function lastLine(output: string): string {
  const line = output.trimEnd().split('\n').at(-1)?.trim() ?? ''
  return line === '' ? '' : ` (${line.slice(0, 200)})`
}
