import { PaddockError } from '../../base/errors.ts'
import { formatSize } from '../../base/quantities.ts'
import { writtenSince } from '../../files/written-since.ts'

/**
 * Returns the number of bytes that one job may add to the homes and workspaces of its agent: the rest of its quota, and at most `limit`.
 * @throws PaddockError NOT_ALLOWED if nothing is left, or if the present size cannot be measured
 */
export async function roomFor(directory: string, quota: number, limit: number | null | undefined, signal: AbortSignal): Promise<number> {
  const used = await writtenSince([directory], 0, quota, signal)
  if (!Number.isFinite(used))
    throw new PaddockError('NOT_ALLOWED', `What is in ${directory} cannot be measured, so its quota cannot be enforced.`, {
      hint: 'Delete what is not needed there: it has too many files, or directories that cannot be read',
    })
  if (used >= quota)
    throw new PaddockError('NOT_ALLOWED', `Its homes and workspaces have reached the quota of ${formatSize(quota)}.`, {
      hint: `Delete what is not needed in ${directory}, or raise quota in its manifest`,
    })
  return Math.min(quota - used, limit ?? Number.POSITIVE_INFINITY)
}
