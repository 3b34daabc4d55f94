import * as z from 'zod'
import { formatDuration, parseDuration } from '../../base/quantities.ts'
import { type Budget, priceSchema } from '../../config/budget.ts'
import { type BudgetUnit, budgetUnits, type Spent } from './budget-spent.ts'

/** One limit that applies to a job: the job's own, or what other jobs have left of a shared one. */
export const allowanceSchema = z.object({
  /** The name of the budget, such as `the budget of the job`. */
  budget: z.string(),
  unit: z.enum(budgetUnits),
  limit: z.number(),
  /** The amount used before this job. */
  before: z.number(),
})
export type Allowance = z.output<typeof allowanceSchema>

/** The budgets of a job, for a host process. */
export const allowancesSchema = z.object({ limits: z.array(allowanceSchema), prices: z.record(z.string(), priceSchema) })
export type Allowances = z.output<typeof allowancesSchema>
export const unlimited: Allowances = { limits: [], prices: {} }

/** Returns the limits of one budget. `name`: the name of the budget in messages. */
export function allowancesOf(name: string, budget: Budget, before: Spent): Allowance[] {
  return budgetUnits.flatMap((unit) => {
    const wish = unit === 'time' ? (budget.time === undefined ? undefined : (parseDuration(budget.time) ?? undefined)) : budget[unit]
    return wish === undefined ? [] : [{ budget: name, unit, limit: wish, before: before[unit] }]
  })
}

/** Returns the use of a budget as text: `the budget of the day (2 of 2 USD)`. */
export function allowanceText({ budget, unit, limit }: Allowance, used: number): string {
  return `${budget} (${amount(unit, used)} of ${amount(unit, limit)}${unit === 'time' ? '' : ` ${unit === 'usd' ? 'USD' : unit}`})`
}

function amount(unit: BudgetUnit, value: number): string {
  if (unit === 'time') return formatDuration(Math.round(value))
  return unit === 'usd' ? String(Number(value.toFixed(value < 0.1 ? 4 : 2))) : value.toLocaleString('en-US')
}
