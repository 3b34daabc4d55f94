import type { CheckResult } from '../checks/result.ts'
import { commandMissing } from '../run/command-missing.ts'

/**
 * Returns the results of all submissions, by participant. A check that exited with 126 or 127 for all of them, or was flaky for all of
 * them, becomes `could-not-run`. If only some submissions cause this, it may be deliberate, and a submission must not be able to disable a
 * check for itself. The mean of a flaky check's runs counts.
 */
export function withoutUnrunnable(checks: ReadonlyMap<string, readonly CheckResult[]>): ReadonlyMap<string, readonly CheckResult[]> {
  const all = [...checks.values()].flat()
  const ran = new Set(
    all.filter((each) => each.result !== 'could-not-run' && commandMissing(each.exitCode) === null).map((each) => each.name),
  )
  const steady = new Set(all.filter((each) => each.isFlaky !== true).map((each) => each.name))
  const settled = (each: CheckResult): CheckResult =>
    (ran.has(each.name) || commandMissing(each.exitCode) === null) && steady.has(each.name) ? each : { ...each, result: 'could-not-run' }
  return new Map([...checks].map(([name, results]) => [name, results.map(settled)]))
}
