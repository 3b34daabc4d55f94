import { studentCritical } from '../../ranking/probability/student.ts'
import type { SuiteRow } from './suite-summary.ts'

interface Paid {
  readonly brief: string
  readonly costUsd: number | null
  readonly isSuccess: boolean
}

/**
 * Returns the cost of all attempts divided by the number of successes: deliveries that passed all checks, or all deliveries without checks. The interval is that of the logarithm of this ratio by the jackknife
 * over briefs, because attempts at the same brief depend on each other.
 */
export function costPerSuccess(attempts: readonly Paid[]): SuiteRow['costPerSuccess'] {
  const known = attempts.flatMap(({ costUsd, ...rest }) => (costUsd === null ? [] : [{ ...rest, costUsd }]))
  const costUsd = ratioOf(known)
  if (costUsd === null || known.length < attempts.length) return null
  const briefs = [...Map.groupBy(known, ({ brief }) => brief).keys()]
  const logs = briefs.flatMap((left) => {
    const rest = ratioOf(known.filter(({ brief }) => brief !== left))
    return rest === null || rest === 0 ? [] : [Math.log(rest)]
  })
  const g = briefs.length
  if (g < 3 || logs.length < g || costUsd === 0) return { costUsd, low: null, high: null }
  const mean = logs.reduce((sum, each) => sum + each, 0) / g
  const error = Math.sqrt(((g - 1) / g) * logs.reduce((sum, each) => sum + (each - mean) ** 2, 0))
  const factor = Math.exp(studentCritical(0.05, g - 1) * error)
  return { costUsd, low: costUsd / factor, high: costUsd * factor }
}

function ratioOf(attempts: readonly { readonly costUsd: number; readonly isSuccess: boolean }[]): number | null {
  const successes = attempts.filter(({ isSuccess }) => isSuccess).length
  return successes === 0 ? null : attempts.reduce((sum, { costUsd }) => sum + costUsd, 0) / successes
}
