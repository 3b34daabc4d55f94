import { listed } from '../../../base/text.ts'
import type { TestRun } from './try-tests.ts'

/** The tests that decide on submissions, by id. */
export interface RequiredTests {
  /** Tests that do not pass before the commit, and pass after it. */
  readonly fixed: readonly string[]
  /** Tests that pass before and after it. */
  readonly kept: readonly string[]
}

/**
 * Returns the tests that a commit fixes and keeps, or the reason why they do not make a check. Tests with different outcomes on the same
 * files are not required. A test that is not run before the commit, because its file cannot be loaded, counts as failed. Pure.
 */
export function requiredTests(before: readonly TestRun[], after: readonly TestRun[]): RequiredTests | { readonly reason: string } {
  const [first] = after
  const passed = [...new Set(after.flatMap(({ outcomes }) => [...outcomes.keys()]))].filter((id) =>
    after.some(({ outcomes }) => outcomes.get(id) === 'passed'),
  )
  if (passed.length === 0) {
    const last = after.find((each) => each.last !== '')?.last ?? ''
    return {
      reason:
        (first?.outcomes.size ?? 0) > 0 ? 'no test passes after it' : `its tests give no report here${last === '' ? '' : `: ${last}`}`,
    }
  }
  const unstable: string[] = []
  const fixed: string[] = []
  const kept: string[] = []
  for (const id of passed) {
    const [had, has] = [before, after].map((runs) => runs.filter(({ outcomes }) => outcomes.get(id) === 'passed').length) as [
      number,
      number,
    ]
    if (has < after.length || (had > 0 && had < before.length)) unstable.push(id)
    else (had > 0 ? kept : fixed).push(id)
  }
  if (fixed.length === 0)
    return {
      reason:
        unstable.length > 0
          ? `tests have different outcomes on the same files: ${listed(unstable, 3)}`
          : 'no test fails before it and passes after it',
    }
  if (kept.length === 0) return { reason: 'no test passes before and after it, so a submission that deletes features would pass' }
  return { fixed: fixed.toSorted(), kept: kept.toSorted() }
}
