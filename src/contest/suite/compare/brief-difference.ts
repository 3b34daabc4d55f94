import { power } from '../../ranking/probability/detectable.ts'
import { studentQuantile, studentTwoSided } from '../../ranking/probability/student.ts'

/** The difference between two runs over briefs, new minus base, with one value for each brief. Positive is better. */
export interface BriefDifference {
  readonly estimate: number
  readonly briefs: number
  /** Null for fewer than three briefs. */
  readonly sure: Certainty | null
}

export interface Certainty {
  /** The standard error of the estimate. */
  readonly error: number
  /** The 95% interval. */
  readonly low: number
  readonly high: number
  /** The one-sided probability of a loss this large, and of a gain this large, if there is no difference. */
  readonly pWorse: number
  readonly pBetter: number
}

/** Fewer briefs do not show how much differences vary. */
export const fewestBriefs = 3

/**
 * Returns the mean of the differences with Student's interval and tests, over briefs; null without a brief. Repeats of a brief must have been
 * averaged before, because they have no partner in the other run.
 */
export function briefDifference(differences: readonly number[]): BriefDifference | null {
  const briefs = differences.length
  if (briefs === 0) return null
  const estimate = differences.reduce((sum, each) => sum + each, 0) / briefs
  if (briefs < fewestBriefs) return { estimate, briefs, sure: null }
  const squares = differences.reduce((sum, each) => sum + (each - estimate) ** 2, 0)
  const error = Math.sqrt(squares / (briefs - 1) / briefs)
  const half = studentQuantile(0.975, briefs - 1) * error
  return { estimate, briefs, sure: { error, low: estimate - half, high: estimate + half, ...tails(estimate, error, briefs) } }
}

function tails(estimate: number, error: number, briefs: number): Pick<Certainty, 'pWorse' | 'pBetter'> {
  // Smaller estimates are rounding errors.
  if (Math.abs(estimate) <= 1e-9) return { pWorse: 0.5, pBetter: 0.5 }
  const outer = studentTwoSided(estimate / error, briefs - 1) / 2
  return estimate < 0 ? { pWorse: outer, pBetter: 1 - outer } : { pWorse: 1 - outer, pBetter: outer }
}

/** The rule by which a loss counts. */
export interface LossRule {
  /** The highest chance of a false loss, over all tested participants together. */
  readonly level: number
  /** The number of participants that are tested together. */
  readonly together: number
  /** The smallest estimated loss that counts. */
  readonly least: number
}

/**
 * Returns the smallest true loss that the rule finds in 80 of 100 comparisons whose differences vary as much as these; null for fewer than three
 * briefs, and if all differences are equal. The test and the least loss must both be passed: max(t(1 − level/m, G−1)·se, least) + t(0.8, G−1)·se.
 */
export function findableLoss({ briefs, sure }: BriefDifference, { level, together, least }: LossRule): number | null {
  if (sure === null || sure.error <= 1e-9) return null
  const tested = studentQuantile(1 - level / Math.max(1, together), briefs - 1) * sure.error
  return Math.max(tested, least) + studentQuantile(power, briefs - 1) * sure.error
}

/** Returns the one-sided upper 95% bound of the difference; null for fewer than three briefs. */
export function upperBound({ estimate, briefs, sure }: BriefDifference): number | null {
  return sure === null ? null : estimate + studentQuantile(0.95, briefs - 1) * sure.error
}
