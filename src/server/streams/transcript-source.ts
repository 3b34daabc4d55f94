import type { Fleet } from '../../fleet/fleet.ts'
import type { TranscriptEvent } from '../../fleet/jobs/transcript.ts'
import type { Job } from '../../fleet/queue/queue.ts'
import type { Numbered } from './numbered.ts'

/** Returns the transcript of a job as a source that ends with the job. */
export async function transcriptSource(fleet: Pick<Fleet, 'transcript'>, job: Job): Promise<Numbered<TranscriptEvent>> {
  const transcript = fleet.transcript(job)
  let ended = await transcript.hasEnded()
  return {
    first: 1,
    // The last number is not known without reading the file. A reader that asks for a future number waits for it.
    last: Number.POSITIVE_INFINITY,
    after: (n, limit) => transcript.after(n, limit),
    numberOf: ({ n }) => n,
    onGrowth(listener) {
      const look = (): void => {
        void transcript.hasEnded().then((hasEnded) => {
          ended = hasEnded
          listener()
        })
      }
      const stop = transcript.onGrowth(look)
      // The job may have ended before the listener was added.
      look()
      return stop
    },
    get ended() {
      return ended
    },
  }
}
