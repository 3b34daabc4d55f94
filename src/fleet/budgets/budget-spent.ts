import * as z from 'zod'
import type { Prices } from '../../config/budget.ts'

/** The use of a job: `usd` in US dollars, `time` in milliseconds with a running cell. */
export const spentSchema = z.object({ turns: z.number(), tokens: z.number(), usd: z.number(), time: z.number() }).readonly()
export type Spent = z.output<typeof spentSchema>
export const budgetUnits = ['turns', 'tokens', 'usd', 'time'] as const satisfies readonly (keyof Spent)[]
export type BudgetUnit = (typeof budgetUnits)[number]

/** Returns the use of a job, as far as it is known. `used`: null if nothing is known. */
export function spentOf(
  used: {
    readonly turns: number
    readonly usage: Pick<Tokens, 'input' | 'output'> | null
    readonly costUsd: number | null
    readonly cellMs: number
  } | null,
): Spent {
  if (used === null) return { turns: 0, tokens: 0, usd: 0, time: 0 }
  const { turns, usage, costUsd, cellMs } = used
  return { turns, tokens: usage === null ? 0 : usage.input + usage.output, usd: costUsd ?? 0, time: cellMs }
}

interface Tokens {
  readonly input: number
  readonly output: number
  readonly cachedInput: number
  readonly model: string | null
}

/** Returns the cost of these tokens; null if their model has no price. */
export function priceOf({ input, output, cachedInput, model }: Tokens, prices: Prices): number | null {
  const price = (model !== null && Object.hasOwn(prices, model) ? prices[model] : undefined) ?? prices['*']
  if (price === undefined) return null
  const cached = Math.min(cachedInput, input)
  return ((input - cached) * price.input + cached * (price.cachedInput ?? price.input) + output * price.output) / 1e6
}
