import * as z from 'zod'

/** The identity of a file when it was hashed; times in milliseconds since the epoch. */
const stampSchema = z.strictObject({ ino: z.number(), mtime: z.number(), ctime: z.number() })
export type Stamp = z.output<typeof stampSchema>

/** The scope in which stamps are valid. After a restart, or on another device, each file is read again. */
const stampedSchema = z.strictObject({ boot: z.string(), device: z.number() })
export type Stamped = z.output<typeof stampedSchema>

const file = z.strictObject({
  path: z.string(),
  /** The permission bits. */
  mode: z.int().min(0).max(0o777),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The stamp of the file in the copy when the file had this content. Absent: the file must be read again. */
  stamp: stampSchema.optional(),
})
const link = z.strictObject({ path: z.string(), target: z.string() })

/** A file or symbolic link as it was copied. Its path is relative to the project, with `/` between names. */
export const entrySchema = z.union([file, link])
export type Entry = z.output<typeof entrySchema>

/** The schema of base.json: the entries that a copy was made from. Files that are not listed were not copied. */
export const manifestSchema = z.strictObject({
  schemaVersion: z.literal(1),
  entries: z.array(entrySchema),
  /** The scope of the stamps. Absent: the stamps are not used. */
  stamped: stampedSchema.optional(),
})
export type Manifest = z.output<typeof manifestSchema>

export function isLink(entry: Entry): entry is z.output<typeof link> {
  return 'target' in entry
}

export function sameEntry(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null) return a === b
  if (isLink(a) || isLink(b)) return isLink(a) && isLink(b) && a.target === b.target
  return a.mode === b.mode && a.size === b.size && a.sha256 === b.sha256
}
