import * as z from 'zod'
import { durationPattern, durationRule, parseDuration } from '../base/quantities.ts'

const count = z.int({ error: 'must be a whole number from 1 to 10^15' }).min(1).max(1e15)
const money = z.number({ error: 'must be a number over 0' }).positive().max(1e9)
const perMillion = z.number({ error: 'must be a number from 0' }).min(0).max(1e6)

/** Limits on the resources that work may use. */
export const budgetSchema = z
  .strictObject({
    turns: count.describe('Steps of the agent: answers of its model, as text or tool calls.'),
    tokens: count.describe('Tokens that its models read and wrote, including cached ones.'),
    usd: money.describe('US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`.'),
    time: z
      .string()
      .refine((value) => parseDuration(value) !== null, { error: `must be ${durationRule}` })
      .meta({ pattern: durationPattern })
      .describe('Running time of its cells.'),
  })
  .partial()
  .refine((value) => Object.keys(value).length > 0, { error: 'must have turns, tokens, usd or time' })
  .meta({ minProperties: 1 })
export type Budget = z.output<typeof budgetSchema>

/** The price of a model, in US dollars per million tokens. */
export const priceSchema = z.strictObject({
  input: perMillion.describe('For input tokens.'),
  output: perMillion.describe('For output tokens.'),
  cachedInput: perMillion.optional().describe("For input tokens from the vendor's cache; by default the same as `input`."),
})
export type Price = z.output<typeof priceSchema>
/** Prices by model name. `*`: any other model. */
export type Prices = Readonly<Record<string, Price>>
