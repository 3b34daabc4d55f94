import * as z from 'zod'

/** The result of `contest archive`. */
export const archivedSchema = z.strictObject({
  schemaVersion: z.literal(1),
  contest: z.string(),
  out: z.string(),
  files: z.array(z.strictObject({ path: z.string(), size: z.int(), sha256: z.string() })),
  leftOut: z.int(),
  notSearched: z.array(z.strictObject({ path: z.string(), why: z.string() })),
})
