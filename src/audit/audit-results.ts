import * as z from 'zod'

export const auditLineSchema = z.strictObject({
  schemaVersion: z.literal(1).optional(),
  seq: z.int(),
  time: z.string(),
  kind: z.string(),
  cell: z.string().exactOptional(),
  actor: z.string().exactOptional().describe('Who caused it; if absent, the user of the machine.'),
  data: z.record(z.string(), z.unknown()),
  prev: z.string().describe('The hash of the previous line.'),
  hash: z.string(),
})

const verdictSchema = z.strictObject({
  schemaVersion: z.literal(1),
  whole: z.boolean(),
  files: z.int(),
  lines: z.int(),
  first: z.int().nullable().describe('The number of the oldest line that is kept.'),
  head: z.strictObject({ seq: z.int(), hash: z.string(), time: z.string() }).nullable().describe('The newest line.'),
  problem: z
    .strictObject({
      kind: z.enum(['changed', 'dropped', 'reordered', 'truncated', 'torn', 'head', 'replaced']),
      file: z.string().nullable(),
      line: z.int().nullable(),
      message: z.string(),
    })
    .nullable(),
  notes: z.array(z.string()),
})

export const auditResults = {
  'audit tail': auditLineSchema.meta({ isLine: true }),
  'audit show': z.strictObject({ schemaVersion: z.literal(1), cell: z.string(), events: z.array(auditLineSchema) }),
  'audit verify': verdictSchema,
  'audit export': z.strictObject({
    schemaVersion: z.literal(1),
    format: z.enum(['jsonl', 'ocsf']),
    file: z.string(),
    exported: z.int().describe('The number of events in the file.'),
    verdict: verdictSchema.describe('The check of the whole log, as of audit verify.'),
  }),
}
