import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeJson } from '../../files/atomic.ts'
import { storedOrNull } from '../../files/stored-json.ts'
import type { CheckConfig } from '../config/contest-schema.ts'
import { pool } from '../run/pool.ts'
import { setUpTree } from '../run/set-up-tree.ts'
import { deliveredSubmissions, type Submission } from '../seal/delivered.ts'
import { restoreLinks } from '../seal/restore-links.ts'
import { unseal } from '../seal/unseal.ts'
import { type CheckedWork, type CheckResult, checksSchema } from '../state/check-result.ts'
import { type Scene, tell } from '../state/scene.ts'
import { runCheck, type Subject } from './check.ts'
import { HostLack } from './host-lack.ts'
import { emptySubmission, oracleSubmission, sealedOracle } from './reference-solution.ts'
import { isSound, settledChecks, unsound } from './settled.ts'

/** A submission with the results of its checks so far, in the order of contest.yaml. */
interface Tried {
  readonly submission: Submission
  readonly results: (CheckResult | HostLack)[]
}

/**
 * Runs all checks on all sealed submissions that were not checked yet. A check that could not run is tried once more when no other check
 * runs. If no submission shows whether a check can run, it is also run on the oracle or an empty submission.
 * @throws HostLack if the host lacks disk, memory or processes for a check. Its submission then stays open, and a later call checks it again.
 */
export async function runChecks(scene: Scene): Promise<void> {
  const { contest, journal, deps } = scene
  const delivered = await deliveredSubmissions(scene)
  const submissions = delivered.filter((each) => journal.participant(each.participant).state === 'sealed')
  if (submissions.length === 0) return
  const { checks } = contest.config
  if (checks.length > 0)
    await tell(scene, { type: 'step', step: 'checks', total: submissions.length * checks.length, open: submissions.length * checks.length })
  const doubtful: Tried[] = []
  await pool(submissions, scene.slots, deps.signal, async (submission) => {
    const results: Tried['results'] = []
    for (const check of checks) {
      const result = await runOn(scene, subjectOf(scene, submission), check)
      if (deps.signal.aborted) return
      results.push(result)
      if (!isStuck(result)) await tellResult(scene, submission, result)
    }
    if (results.every(isSound)) await record(scene, submission, { schemaVersion: 2, checks: results, reference: [] })
    else doubtful.push({ submission, results })
  })
  if (doubtful.length === 0 || deps.signal.aborted) return
  const earlier: CheckedWork[] = []
  for (const { participant } of delivered)
    if (journal.participant(participant).state === 'checked')
      earlier.push(await readChecks(contest.layout.sealed(journal.status.round, participant).checks))
  await settle(scene, doubtful, earlier)
}

/**
 * Runs the checks again that could not run, one at a time, and records the results of these submissions. `earlier`: the recorded results of the
 * other submissions in this round.
 */
async function settle(scene: Scene, doubtful: readonly Tried[], earlier: readonly CheckedWork[]): Promise<void> {
  const { contest, deps, slots } = scene
  const { checks } = contest.config
  using _slot = await slots.take([], deps.signal)
  const stuck = new Set<string>()
  for (const { submission, results } of doubtful)
    for (const [index, check] of checks.entries()) {
      const result = results[index]
      if (result === undefined || !isStuck(result)) continue
      stuck.add(`${submission.participant} ${check.name}`)
      results[index] = await runOn(scene, subjectOf(scene, submission), check)
      if (deps.signal.aborted) return
    }
  const whole = doubtful.flatMap(({ submission, results }) => {
    const ended = results.flatMap((each) => (each instanceof HostLack ? [] : [each]))
    return ended.length === results.length ? [{ submission, results: ended }] : []
  })
  const seen = [...earlier.flatMap((each) => [...each.checks, ...each.reference]), ...whole.flatMap(({ results }) => results)]
  const reference = await onReference(
    scene,
    checks.filter(({ name }) => unsound(seen, name)),
  )
  if (deps.signal.aborted) return
  const works = whole.map(({ submission, results }) => [submission, { schemaVersion: 2 as const, checks: results, reference }] as const)
  const settled = settledChecks(
    new Map([
      ...earlier.map((each, index) => [`earlier ${index}`, each] as const),
      ...works.map(([{ participant }, work]) => [participant, work] as const),
    ]),
  )
  for (const [submission, work] of works) {
    for (const result of settled.get(submission.participant) ?? [])
      if (stuck.has(`${submission.participant} ${result.name}`)) await tellResult(scene, submission, result)
    await record(scene, submission, work)
  }
  const lack = doubtful.flatMap(({ results }) => results).find((each) => each instanceof HostLack)
  if (lack !== undefined) throw lack
}

/** Returns the results of checks on the oracle, or on an empty submission if there is no oracle that a participant could hand in. */
async function onReference(scene: Scene, checks: readonly CheckConfig[]): Promise<CheckResult[]> {
  if (checks.length === 0) return []
  const oracle = await sealedOracle(scene)
  const subject = oracle?.problem === null ? oracleSubmission(scene, oracle) : emptySubmission(scene)
  const results: CheckResult[] = []
  for (const check of checks) {
    if (scene.deps.signal.aborted) break
    results.push(await runCheck(scene, subject, check, path.join(scene.scratch, 'checks', 'reference')))
  }
  return results
}

function subjectOf(scene: Scene, { participant, sealed, seal }: Submission): Subject {
  const { config, layout } = scene.contest
  return {
    name: participant,
    async layDown(directory) {
      await unseal(sealed, seal, directory)
      if (config.start !== undefined) await restoreLinks(path.join(layout.root, config.start), seal, directory)
      // The check fails by itself if it needs what a broken lock file does not give.
      const problem = await setUpTree(scene, directory, { isAgents: true, say: () => undefined })
      if (problem !== null) await tell(scene, { type: 'warning', message: `${participant}: ${problem}` })
    },
  }
}

/** Runs a check. A lack of the host is returned, so that the other checks run before it is thrown. */
async function runOn(scene: Scene, subject: Subject, check: CheckConfig): Promise<CheckResult | HostLack> {
  try {
    return await runCheck(scene, subject, check, path.join(scene.scratch, 'checks', subject.name, check.name))
  } catch (error) {
    if (error instanceof HostLack) return error
    throw error
  }
}

function isStuck(result: CheckResult | HostLack): result is HostLack | (CheckResult & { readonly result: 'could-not-run' }) {
  return result instanceof HostLack || result.result === 'could-not-run'
}

async function tellResult(scene: Scene, { participant }: Submission, { name, result, why, durationMs }: CheckResult): Promise<void> {
  await tell(scene, { type: 'checked', name: participant, check: name, result, why, durationMs })
}

async function record({ contest, journal }: Scene, { participant, seal }: Submission, work: CheckedWork): Promise<void> {
  await writeJson(contest.layout.sealed(journal.status.round, participant).checks, { ...work, tree: seal.tree })
  await journal.setParticipant(participant, { state: 'checked' })
}

/** Returns the recorded results of one sealed submission. Empty if the file does not exist. */
export async function readChecks(file: string): Promise<CheckedWork> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return storedOrNull(file, text, checksSchema, 2) ?? { schemaVersion: 2, checks: [], reference: [] }
}
