import * as z from 'zod'
import { postures } from '../base/posture.ts'
import { egressMode } from '../egress/egress-summary-schema.ts'

/** The output of `paddock verify --json`. */
export const verifiedSchema = z.strictObject({
  schemaVersion: z.literal(1),
  posture: z.string(),
  backend: z.string(),
  egress: egressMode,
  guarantees: z.array(
    z.strictObject({
      id: z.string(),
      chapter: z.string(),
      claim: z.string(),
      kind: z
        .enum(['structural', 'policy'])
        .describe('structural: the target of the attack does not exist · policy: a rule denies access.'),
      mechanism: z.string(),
      why: z.string().describe('Why the mechanism is enough for the claim.'),
      fails: z.array(z.string()).describe('How it can still fail.'),
      status: z.enum(['held', 'broken', 'unenforceable']),
      evidence: z.string().describe('What was tried, and the result.'),
      durationMs: z.number(),
    }),
  ),
})

export const matrixCell = z.enum(['held', 'broken', 'not enforceable', 'not promised', 'not run'])

/** The output of `paddock verify --recorded --json`. */
export const recordedMatrixSchema = z.strictObject({
  schemaVersion: z.literal(1),
  columns: z.array(
    z.strictObject({
      posture: z.enum(postures),
      backend: z.string(),
      user: z.enum(['root', 'user']).nullable().describe('Null: no run has tried this level here.'),
      runs: z
        .array(z.strictObject({ egress: egressMode, at: z.string(), version: z.string(), backendVersion: z.string(), system: z.string() }))
        .describe('The last whole runs of `paddock verify`, the newest first.'),
    }),
  ),
  matrix: z.array(z.strictObject({ id: z.string(), cells: z.array(matrixCell).describe('In the order of the columns.') })),
})
