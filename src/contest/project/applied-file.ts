import { hash } from 'node:crypto'
import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import type { Paths } from '../../base/paths.ts'
import { trust, trustOf, trustStore, untrust } from '../../config/trusted-projects.ts'
import { isPlainPath } from '../../copy/copy-names.ts'
import { entrySchema } from '../../copy/manifest.ts'
import { writeAtomic } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import { NewerFile, parseStored } from '../../files/stored-json.ts'
import type { Layout } from '../config/contest-layout.ts'

const mostBytes = 256 * 1024 * 1024

const appliedSchema = z.strictObject({
  /** The ID of the copy that was applied. */
  copy: z.string(),
  project: z.string().startsWith('/'),
  participant: z.string(),
  round: z.int(),
  tree: z.string(),
  changes: z.array(
    z
      .strictObject({
        path: z.string().refine(isPlainPath, { error: 'leads elsewhere' }),
        base: entrySchema.nullable(),
        now: entrySchema.nullable(),
      })
      .refine(({ path, base, now }) => [base, now].every((each) => each === null || each.path === path), { error: 'is about two paths' }),
  ),
})
const fileSchema = z.strictObject({ schemaVersion: z.literal(1), applied: z.array(appliedSchema) })

/** One apply to the files of a project, with the entries before and after the apply. */
export type AppliedOnce = z.output<typeof appliedSchema>

/** Reads applied.json: the applies that can be undone, the newest last. Throws FILES_FAILED if the file is not valid. */
export async function readApplied(layout: Layout): Promise<readonly AppliedOnce[]> {
  const read = await readRegular(layout.applied, mostBytes)
  if (!read.ok && read.why === 'missing') return []
  try {
    if (read.ok) return parseStored(layout.applied, read.bytes, fileSchema).applied
  } catch (error) {
    if (error instanceof NewerFile) throw error
    // The error below reports it.
  }
  throw new PaddockError('FILES_FAILED', `${layout.applied} does not describe what was applied.`, {
    hint: 'Restore it, or remove it; without it, nothing that was applied can be undone',
  })
}

/** Records that this user made this apply. The applied.json of a cloned contest does not prove that. */
export async function rememberApplied(layout: Layout, applied: AppliedOnce, paths: Paths): Promise<void> {
  await trust(trustStore(paths), placeOf(layout, applied), hashOf(applied))
}

/** Removes the record once there is nothing left to undo. */
export async function forgetApplied(layout: Layout, applied: AppliedOnce, paths: Paths): Promise<void> {
  await untrust(trustStore(paths), placeOf(layout, applied))
}

/** Returns true for an apply by this user from this contest, false for one that only applied.json claims. */
export async function isRemembered(layout: Layout, applied: AppliedOnce, paths: Paths): Promise<boolean> {
  return (await trustOf(trustStore(paths), placeOf(layout, applied), hashOf(applied))) === 'trusted'
}

const placeOf = ({ applied: file }: Layout, { copy }: AppliedOnce): string => `${file}#${copy}`
const hashOf = (applied: AppliedOnce): string => hash('sha256', JSON.stringify(applied))

export async function writeApplied(layout: Layout, applied: readonly AppliedOnce[]): Promise<void> {
  await writeAtomic(layout.applied, `${JSON.stringify({ schemaVersion: 1, applied })}\n`)
}
