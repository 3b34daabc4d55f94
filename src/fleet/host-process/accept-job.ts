import { mkdir } from 'node:fs/promises'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { syncDirectory, writeJsonOnce } from '../../files/atomic.ts'
import type { AgentData } from '../data-directory.ts'
import type { JobOrder } from './job-means.ts'

/**
 * Records that a job was accepted; returns false if it was accepted before. Once it returns true, the record and the names of the
 * directories above it are on the disk: no process starts this job again.
 * @throws PaddockError FILES_FAILED if the record cannot be written; the job was not accepted
 */
export async function writeAccepted({ job, slot }: JobOrder, data: AgentData): Promise<boolean> {
  const files = data.job(job)
  try {
    await mkdir(files.root, { recursive: true, mode: 0o700 })
    const accepted = { schemaVersion: 1, job, slot, at: new Date().toISOString() }
    if (!(await writeJsonOnce(files.accepted, accepted, { mode: 0o600 }))) return false
    await syncDirectory(data.jobs)
    await syncDirectory(data.root)
    return true
  } catch (error) {
    throw new PaddockError('FILES_FAILED', `The job could not be accepted: ${messageOf(error)}`, {
      hint: `Make room on the disk of ${data.root}`,
      cause: error,
    })
  }
}
