import * as z from 'zod'

export const checkResultSchema = z.strictObject({
  name: z.string(),
  weight: z.number(),
  /** `passed`: its reward is 1 in every run. `could-not-run` is nobody's fault and counts for nothing. */
  result: z.enum(['passed', 'failed', 'could-not-run']),
  /** Why it did not pass. Null if it did. */
  why: z.string().nullable(),
  exitCode: z.int().nullable(),
  /** What it counts, from 0 to 1: the mean over runs. Absent: 1 if it passed, else 0. */
  reward: z.number().min(0).max(1).optional(),
  /** True: its runs gave different results. */
  isFlaky: z.boolean().optional(),
  durationMs: z.number(),
  /** The newest 4,000 characters of what it printed. */
  output: z.string(),
})
export const checksSchema = z.strictObject({ schemaVersion: z.literal(1), tree: z.string(), checks: z.array(checkResultSchema) })
export type CheckResult = z.output<typeof checkResultSchema>
