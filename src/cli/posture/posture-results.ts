import * as z from 'zod'
import { postures } from '../../base/posture.ts'
import { matrixCell } from '../../guarantees/guarantees-results.ts'

const verified = z.strictObject({
  egress: z.string(),
  at: z.string(),
  version: z.string(),
  system: z.string(),
  held: z.int(),
  broken: z.int(),
  unenforceable: z.int(),
})
const level = z.enum(postures)

export const postureResults = {
  'posture explain': z.strictObject({
    schemaVersion: z.literal(1),
    levels: z.array(
      z.strictObject({
        posture: level,
        meaning: z.string(),
        isBuiltHere: z.boolean(),
        promised: z.int().describe('The number of guarantees at this level; 0: no cell has it here.'),
        notPromised: z.array(z.string()),
        verified: z.array(verified).describe('The last whole runs of `paddock verify`, the newest first.'),
      }),
    ),
  }),
  'posture compare': z.strictObject({
    schemaVersion: z.literal(1),
    guarantees: z.array(
      z.strictObject({
        id: z.string(),
        levels: z.partialRecord(level, matrixCell),
      }),
    ),
  }),
  'posture advise': z.strictObject({
    schemaVersion: z.literal(1),
    posture: level,
    why: z.array(z.string()),
    commands: z.array(z.string()),
    found: z.strictObject({
      untrusted: z.array(z.string()),
      foreignCode: z.array(z.string()),
      secrets: z.array(z.string()),
      pushes: z.array(z.string()),
      missingTools: z.array(z.string()),
    }),
  }),
}
