import * as z from 'zod'

/** A `Finding` as files on disk hold it. */
export const findingSchema = z.strictObject({
  path: z.string(),
  line: z.int().nullable(),
  endLine: z.int().exactOptional(),
  endColumn: z.int().exactOptional(),
  column: z.int().nullable(),
  rule: z.string(),
  what: z.string(),
  masked: z.string(),
})
