import type { Manifest } from '../manifest/schema.ts'
import type { Job } from '../queue/queue.ts'

/** Returns why a job cannot continue the conversation of an earlier job, in one sentence; null if it can, or starts a new one. */
export function cannotGoOn(
  { isMessage, continues, conversation, adapter }: Pick<Job, 'isMessage' | 'continues' | 'conversation' | 'adapter'>,
  { name, agent }: Pick<Manifest, 'name' | 'agent'>,
): string | null {
  if (conversation === null) return isMessage ? `The conversation of the job ${continues} is not known, so it cannot be continued.` : null
  return adapter === null || adapter === agent ? null : `The conversation was with ${adapter}, and ${name} is ${agent} now.`
}
