import { existsSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { readRegular } from '../../files/read-regular.ts'
import type { JobData } from '../data-directory.ts'
import { type JobResult, jobResultSchema } from '../jobs/job.ts'

const mostResultBytes = 4 * 1024 * 1024

/** Returns the job's end as its host process recorded it; null if the job has not ended, or if that process was lost. */
export async function readResult(files: JobData): Promise<JobResult | null> {
  const read = await readRegular(files.result, mostResultBytes)
  if (!read.ok) return null
  try {
    return jobResultSchema.parse(JSON.parse(read.bytes.toString('utf8')))
  } catch {
    return null
  }
}

/** Returns whether a host process has accepted the job. An accepted job may have started. */
export const wasAccepted = (files: JobData): boolean => existsSync(files.accepted)

/** Returns the disk usage of a job's files in bytes; 0 if there are none. */
export async function jobBytes({ root }: Pick<JobData, 'root'>): Promise<number> {
  const names = await readdir(root).catch(() => [])
  const sizes = await Promise.all(names.map((each) => lstat(path.join(root, each)).catch(() => null)))
  return sizes.reduce((sum, each) => sum + (each === null ? 0 : each.blocks * 512), 0)
}
