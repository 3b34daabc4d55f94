import * as z from 'zod'

/** A variant of a participant, compared with the first one, its base. */
export const againstBaseSchema = z.strictObject({
  /** The participant with the variants. */
  of: z.string(),
  name: z.string(),
  base: z.string(),
  /** What the variant sets, such as `instructions: rules.md`. */
  sets: z.array(z.string()),
  unit: z.enum(['points', 'log odds']),
  /** How much stronger the variant is than its base; null: they are not compared with each other. */
  difference: z.number().nullable(),
  /** The 95% interval of the difference, paired by brief or, with one brief, by judge; null: fewer than three of them. */
  interval: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
  /** True: the difference is significant at 5%, together with those of all other variants of the participant (Holm). */
  isDifferent: z.boolean(),
  /** The smallest difference that as many briefs or judges show in 80 of 100 cases; null: not known. */
  finds: z.number().nullable(),
  /** The cost of the variant, in a suite per success, divided by that of its base; null: not known. */
  costRatio: z.number().nullable(),
  sentence: z.string(),
})

export type AgainstBase = z.output<typeof againstBaseSchema>
