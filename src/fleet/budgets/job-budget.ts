import type { Budget } from '../../config/budget.ts'
import { type Allowance, allowancesOf } from './budget-allowance.ts'
import type { Spent } from './budget-spent.ts'

/** The name of a budget that was given with one job, for messages. */
export const jobBudget = 'the budget given with the job'

const isGiven = ({ budget }: Allowance): boolean => budget === jobBudget

/** Returns the limits of a budget for one job. */
export function jobLimits(budget: Budget): readonly Allowance[] {
  return allowancesOf(jobBudget, budget, { turns: 0, tokens: 0, usd: 0, time: 0 })
}

/** Returns the budget that was given with a job, reconstructed from the job's limits; null if none was given. */
export function budgetGiven(limits: readonly Allowance[]): Budget | null {
  const given = limits.filter(isGiven).map(({ unit, limit }) => [unit, unit === 'time' ? exactDuration(limit) : limit])
  return given.length === 0 ? null : (Object.fromEntries(given) as Budget)
}

/** Returns a duration such as `90s`, in the largest unit that divides it exactly. */
function exactDuration(ms: number): string {
  const [name, size] = units.find(([, each]) => ms % each === 0) ?? units[3]
  return `${ms / size}${name}`
}

const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

/** Returns the limits that remain for the successor of a lost job, after what the lost job used. */
export function limitsAfter(limits: readonly Allowance[], used: Spent): readonly Allowance[] {
  return limits.map((each) => ({ ...each, before: each.before + used[each.unit] }))
}
