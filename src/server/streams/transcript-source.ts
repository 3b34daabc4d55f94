import type { Fleet } from '../../fleet/fleet.ts'
import type { TranscriptEvent } from '../../fleet/jobs/transcript.ts'
import type { Job } from '../../fleet/queue/queue.ts'
import type { Numbered } from './numbered.ts'

/** Returns the transcript of a job as something to follow, to its end. */
export async function transcriptSource(fleet: Pick<Fleet, 'transcript'>, job: Job): Promise<Numbered<TranscriptEvent>> {
  const transcript = fleet.transcript(job)
  let ended = await transcript.hasEnded()
  return {
    first: 1,
    // Not known without reading it; a reader who asks for a number in the future waits for it.
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
      // It may have ended since it was looked at, when nobody listened.
      look()
      return stop
    },
    get ended() {
      return ended
    },
  }
}
