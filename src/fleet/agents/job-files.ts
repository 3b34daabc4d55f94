import { existsSync } from 'node:fs'
import { readRegular } from '../../files/read-regular.ts'
import type { JobData } from '../data-directory.ts'
import { type JobResult, jobResultSchema } from '../jobs/job.ts'

const mostResultBytes = 4 * 1024 * 1024

/** Returns how a job ended by its host process's own account; null: it has not ended, or that process was lost. */
export async function readResult(files: JobData): Promise<JobResult | null> {
  const read = await readRegular(files.result, mostResultBytes)
  if (!read.ok) return null
  try {
    return jobResultSchema.parse(JSON.parse(read.bytes.toString('utf8')))
  } catch {
    return null
  }
}

/** True once a host process has taken the job: it may have begun. */
export const wasAccepted = (files: JobData): boolean => existsSync(files.accepted)
