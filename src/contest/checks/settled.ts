import { commandMissing } from '../run/command-missing.ts'
import type { CheckedWork, CheckResult } from '../state/check-result.ts'
import { HostLack } from './host-lack.ts'

/** Returns true if a result shows that its check can run: it ran, its command was found, and all its runs gave the same result. */
export function isSound(result: CheckResult | HostLack): result is CheckResult {
  return (
    !(result instanceof HostLack) &&
    result.result !== 'could-not-run' &&
    result.isFlaky !== true &&
    commandMissing(result.exitCode) === null
  )
}

/** Returns true if one of these results is of this check, and none of them shows that it can run. */
export function unsound(results: readonly CheckResult[], name: string): boolean {
  const own = results.filter((each) => each.name === name)
  return own.length > 0 && !own.some(isSound)
}

/**
 * Returns the results of all submissions, by participant. A check that can run for one of them, for the oracle or for an empty submission has
 * failed for those for which it could not run, because a submission must not be able to disable a check for itself. The worst run
 * of a flaky check counts, because work that races with its check has not passed it. A check that can run for nobody becomes `could-not-run` for all. Results of version 1 are settled only by each other.
 */
export function settledChecks(works: ReadonlyMap<string, CheckedWork>): ReadonlyMap<string, readonly CheckResult[]> {
  const all = [...works.values()].flatMap(({ checks, reference }) => [...checks, ...reference])
  const counts = new Set(all.filter(isSound).map(({ name }) => name))
  const settled = (each: CheckResult): CheckResult => {
    if (!counts.has(each.name)) return { ...each, result: 'could-not-run' }
    return each.result === 'could-not-run'
      ? { ...each, result: 'failed', reward: 0, why: `it could not run on this submission: ${each.why}` }
      : each
  }
  const ofFirst = settledByFirst(all)
  return new Map([...works].map(([name, { schemaVersion, checks }]) => [name, checks.map(schemaVersion === 1 ? ofFirst : settled)]))
}

/** Returns the rule of version 1, in which a check that could not run on some submissions did not count for these. */
function settledByFirst(all: readonly CheckResult[]): (each: CheckResult) => CheckResult {
  const ran = new Set(
    all.filter((each) => each.result !== 'could-not-run' && commandMissing(each.exitCode) === null).map((each) => each.name),
  )
  const steady = new Set(all.filter((each) => each.isFlaky !== true).map((each) => each.name))
  return (each) =>
    (ran.has(each.name) || commandMissing(each.exitCode) === null) && steady.has(each.name) ? each : { ...each, result: 'could-not-run' }
}
