import { PaddockError } from '../../../base/errors.ts'
import { parseDuration } from '../../../base/quantities.ts'
import type { paths } from '../../../client/api.ts'

type Budget = NonNullable<paths['/api/v1/jobs']['post']['requestBody']['content']['application/json']['budget']>

/** Parses `5usd`, `100turns`, `200000tokens`, or a duration. Returns null if none is given. */
export function budgetFrom(amounts: readonly string[]): Budget | null {
  const budget: Record<string, number | string> = {}
  for (const each of amounts) {
    const [, amount, unit = 'time'] = /^(\d{1,15}(?:\.\d{1,6})?)(usd|turns|tokens)$/.exec(each) ?? []
    if (amount === undefined && parseDuration(each) === null)
      throw new PaddockError('BAD_INPUT', `--budget ${each} is not an amount.`, { hint: 'For example 5usd, 100turns, 200000tokens or 2h' })
    if (Object.hasOwn(budget, unit))
      throw new PaddockError('BAD_INPUT', `--budget ${each}: ${unit} is given twice.`, { hint: 'Give it once' })
    budget[unit] = amount === undefined ? each : Number(amount)
  }
  return amounts.length === 0 ? null : budget
}

/** Returns a budget in the form of `--budget`, with commas. */
export function budgetText(budget: Budget): string {
  return Object.entries(budget)
    .map(([unit, amount]) => (unit === 'time' ? amount : `${amount}${unit}`))
    .join(', ')
}
