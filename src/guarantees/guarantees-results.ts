import * as z from 'zod'
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
