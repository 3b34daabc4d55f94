import * as z from 'zod'

const file = z.strictObject({
  path: z.string(),
  /** Permission bits. */
  mode: z.int().min(0).max(0o777),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
const link = z.strictObject({ path: z.string(), target: z.string() })

/** One file or symbolic link as it was taken; the path is relative to the project, `/` between names. */
export const entrySchema = z.union([file, link])
export type Entry = z.output<typeof entrySchema>

/** base.json: what a copy was made of. What is not in it was not taken. */
export const manifestSchema = z.strictObject({ schemaVersion: z.literal(1), entries: z.array(entrySchema) })
export type Manifest = z.output<typeof manifestSchema>

export function isLink(entry: Entry): entry is z.output<typeof link> {
  return 'target' in entry
}

export function sameEntry(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null) return a === b
  if (isLink(a) || isLink(b)) return isLink(a) && isLink(b) && a.target === b.target
  return a.mode === b.mode && a.size === b.size && a.sha256 === b.sha256
}
