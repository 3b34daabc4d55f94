import type { Manifest } from '../manifest/manifest-schema.ts'
import type { Job } from '../store/job-records.ts'

/** Returns why a job cannot continue an earlier job's conversation, in one sentence; null if it can, or if it starts a new one. */
export function cannotGoOn(
  { isMessage, continues, conversation, adapter }: Pick<Job, 'isMessage' | 'continues' | 'conversation' | 'adapter'>,
  { name, agent }: Pick<Manifest, 'name' | 'agent'>,
): string | null {
  if (conversation === null) return isMessage ? `The conversation of the job ${continues} is not known, so it cannot be continued.` : null
  return adapter === null || adapter === agent ? null : `The conversation was with ${adapter}, and ${name} is ${agent} now.`
}
