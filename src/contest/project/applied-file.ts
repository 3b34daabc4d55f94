import * as z from 'zod'
import { entrySchema } from '../../copy/manifest.ts'
import { isPlainPath } from '../../copy/names.ts'
import { PaddockError } from '../../errors.ts'
import { writeAtomic } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import type { Layout } from '../state/layout.ts'

const mostBytes = 256 * 1024 * 1024

const appliedSchema = z.strictObject({
  /** Of the copy that was applied. */
  copy: z.string(),
  project: z.string().startsWith('/'),
  participant: z.string(),
  round: z.int(),
  tree: z.string(),
  changes: z.array(
    z.strictObject({
      path: z.string().refine(isPlainPath, { error: 'leads elsewhere' }),
      base: entrySchema.nullable(),
      now: entrySchema.nullable(),
    }),
  ),
})
const fileSchema = z.strictObject({ schemaVersion: z.literal(1), applied: z.array(appliedSchema) })

/** One apply to the files of a project: what was there and what is there since. */
export type AppliedOnce = z.output<typeof appliedSchema>

/** applied.json: the applies that can be undone, the newest last. Throws FILES_FAILED if it cannot be understood. */
export async function readApplied(layout: Layout): Promise<readonly AppliedOnce[]> {
  const read = await readRegular(layout.applied, mostBytes)
  if (!read.ok && read.why === 'missing') return []
  try {
    if (read.ok) return fileSchema.parse(JSON.parse(read.bytes.toString('utf8'))).applied
  } catch {
    // Below.
  }
  throw new PaddockError('FILES_FAILED', `${layout.applied} does not say what was applied.`, {
    hint: 'Put it back as it was, or remove it; then nothing that was applied can be undone',
  })
}

export async function writeApplied(layout: Layout, applied: readonly AppliedOnce[]): Promise<void> {
  await writeAtomic(layout.applied, `${JSON.stringify({ schemaVersion: 1, applied })}\n`)
}
