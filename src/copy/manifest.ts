import * as z from 'zod'

/** Earlier versions had more keys in it. */
const file = z.object({
  path: z.string(),
  /** The permission bits. */
  mode: z.int().min(0).max(0o777),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
const link = z.strictObject({ path: z.string(), target: z.string() })

/** A file or symbolic link as it was copied. Its path is relative to the project, with `/` between names. */
export const entrySchema = z.union([file, link])
export type Entry = z.output<typeof entrySchema>

/** A path at which the base of a copy has changed; null: it has nothing there. */
export const baseChangeSchema = z.strictObject({ path: z.string(), now: entrySchema.nullable() })
export type BaseChange = z.output<typeof baseChangeSchema>

/** The entries that a copy was made from, or that applies have made since. Files that are not listed were not copied. */
export interface Manifest {
  readonly entries: readonly Entry[]
}

/** Returns true for a valid list. It may have 100,000 entries, for which the schema of an entry takes too long. */
export function areEntries(value: unknown): value is Entry[] {
  return Array.isArray(value) && value.every(isEntry)
}

function isEntry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { path, target, mode, size, sha256 } = value as Record<string, unknown>
  if (typeof path !== 'string') return false
  if (target !== undefined) return typeof target === 'string'
  const isMode = Number.isInteger(mode) && Number(mode) >= 0 && Number(mode) <= 0o777
  return isMode && Number.isInteger(size) && Number(size) >= 0 && typeof sha256 === 'string' && sha256.length === 64
}

export function isLink(entry: Entry): entry is z.output<typeof link> {
  return 'target' in entry
}

export function sameEntry(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null) return a === b
  if (isLink(a) || isLink(b)) return isLink(a) && isLink(b) && a.target === b.target
  return a.mode === b.mode && a.size === b.size && a.sha256 === b.sha256
}
