import * as z from 'zod'

export const checkResultSchema = z.strictObject({
  name: z.string(),
  weight: z.number(),
  /** `passed`: the reward is 1 in every run. `could-not-run`: it did not run for anybody, so it is not counted. */
  result: z.enum(['passed', 'failed', 'could-not-run']),
  /** The reason why the check did not pass; null: it passed. */
  why: z.string().nullable(),
  exitCode: z.int().nullable(),
  /** The lowest reward over all runs, from 0 to 1. Absent: 1 if the check passed, else 0. */
  reward: z.number().min(0).max(1).optional(),
  /** True: the runs gave different results. */
  isFlaky: z.boolean().optional(),
  durationMs: z.number(),
  /** The last 4,000 characters of the check's output. */
  output: z.string(),
})
export const checksSchema = z.strictObject({
  /** 1: written by a version in which a check that could not run never counted. */
  schemaVersion: z.union([z.literal(1), z.literal(2)]),
  tree: z.string(),
  checks: z.array(checkResultSchema),
  /** The results on the oracle, or on an empty submission, of checks for which the submissions do not show whether they can run. */
  reference: z.array(checkResultSchema).default([]),
})
export type CheckResult = z.output<typeof checkResultSchema>
/** The results of all checks on one submission, as the runs ended. `settledChecks` decides which of them count. */
export type CheckedWork = Pick<z.output<typeof checksSchema>, 'schemaVersion' | 'checks' | 'reference'>
