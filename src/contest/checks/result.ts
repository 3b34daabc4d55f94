import * as z from 'zod'

export const checkResultSchema = z.strictObject({
  name: z.string(),
  weight: z.number(),
  /** `passed`: the reward is 1 in every run. `could-not-run`: not the submission's fault, and not counted. */
  result: z.enum(['passed', 'failed', 'could-not-run']),
  /** The reason why the check did not pass; null: it passed. */
  why: z.string().nullable(),
  exitCode: z.int().nullable(),
  /** The mean reward over all runs, from 0 to 1. Absent: 1 if the check passed, else 0. */
  reward: z.number().min(0).max(1).optional(),
  /** True: the runs gave different results. */
  isFlaky: z.boolean().optional(),
  durationMs: z.number(),
  /** The last 4,000 characters of the check's output. */
  output: z.string(),
})
export const checksSchema = z.strictObject({ schemaVersion: z.literal(1), tree: z.string(), checks: z.array(checkResultSchema) })
export type CheckResult = z.output<typeof checkResultSchema>
