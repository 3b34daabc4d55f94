import * as z from 'zod'

/** The form of a `Finding` in files on disk. */
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
