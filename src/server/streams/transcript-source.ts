import type { Fleet } from '../../fleet/fleet.ts'
import type { TranscriptEvent } from '../../fleet/jobs/transcript-reader.ts'
import type { Job } from '../../fleet/store/job-records.ts'
import type { Numbered } from './numbered.ts'

/** Returns the transcript of a job as a source that ends with the job. */
export async function transcriptSource(fleet: Pick<Fleet, 'transcript'>, job: Job): Promise<Numbered<TranscriptEvent>> {
  const transcript = fleet.transcript(job)
  let ended = await transcript.hasEnded()
  let last = await transcript.last()
  return {
    first: 1,
    get last() {
      return last
    },
    async after(n, limit) {
      const events = await transcript.after(n, limit)
      last = Math.max(last, events.at(-1)?.n ?? 0)
      return events
    },
    numberOf: ({ n }) => n,
    onGrowth(listener) {
      const look = async (): Promise<void> => {
        // All events are written before a job ends.
        const hasEnded = await transcript.hasEnded()
        last = Math.max(last, await transcript.last())
        ended = hasEnded
        listener()
      }
      const stop = transcript.onGrowth(() => void look())
      // The job may have ended before the listener was added.
      void look()
      return stop
    },
    get ended() {
      return ended
    },
  }
}
