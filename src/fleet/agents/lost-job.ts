import type { JobData } from '../data-directory.ts'
import { goOnPrompt } from '../jobs/go-on-prompt.ts'
import { TranscriptReader } from '../jobs/transcript.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { Job, JobQueue, NewJob } from '../queue/queue.ts'

/** A job that is lost so often is not begun again by itself. */
const mostAttempts = 3

/** Returns the job that follows a lost one by itself, as the manifest says; null: none. */
export async function followUp(
  job: Job,
  { restart = 'none' }: Pick<Manifest, 'restart'>,
  files: JobData,
  queue: Pick<JobQueue, 'prompt'>,
): Promise<NewJob | null> {
  if (restart === 'none' || job.attempt >= mostAttempts) return null
  const conversation = restart === 'continue' ? ((await conversationIn(files)) ?? job.conversation) : null
  return {
    agent: job.agent,
    labels: job.labels,
    // Without a conversation to go on in, the agent would not know what its task was.
    prompt: conversation === null ? await queue.prompt(job.id) : goOnPrompt,
    requestedBy: job.requestedBy,
    continues: job.id,
    conversation,
    attempt: job.attempt + 1,
    // A second server that finds the same lost job gives it only once.
    idempotencyKey: `after ${job.id}`,
  }
}

/** The newest conversation that the transcript of a job names. */
export async function conversationIn(files: JobData): Promise<string | null> {
  const reader = new TranscriptReader(files.transcript)
  let found: string | null = null
  for (let after = 0; ; ) {
    const events = await reader.after(after, 1000)
    const last = events.at(-1)
    if (last === undefined) return found
    found = events.findLast((each) => each.type === 'conversation')?.['id']?.toString() ?? found
    after = last.n
  }
}
