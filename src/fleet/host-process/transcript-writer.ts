import { openJsonLines } from '../../files/append.ts'
import { longestText, shortened } from './cut-event.ts'

/** The limits of one transcript. When one is reached, a last line reports that the rest of the run is not recorded. */
export interface TranscriptLimits {
  readonly events: number
  readonly bytes: number
}
const defaultLimits: TranscriptLimits = { events: 200_000, bytes: 64 * 1024 * 1024 }

/** The largest event in bytes, after its texts were cut; a note replaces a larger one. */
const largestEvent = 4 * longestText

/** A transcript that grows: `{ "n": 1, "at": ISO 8601, "type": …, … }`, numbered from 1 without gaps. */
export interface Transcript extends AsyncDisposable {
  /** Adds one event. Resolves once the event was handed to the operating system. */
  add(event: { readonly type: string }): Promise<void>
  /** The number of events written so far. */
  readonly events: number
}

export async function openTranscript(
  file: string,
  options: { readonly now: () => Date; readonly limits?: TranscriptLimits },
): Promise<Transcript> {
  const limits = options.limits ?? defaultLimits
  const lines = await openJsonLines(file, { mode: 0o600 })
  let events = 0
  let bytes = 0
  let full = false
  const write = async (event: object): Promise<void> => {
    const line = { n: events + 1, at: options.now().toISOString(), ...event }
    await lines.append(line)
    events = line.n
  }
  return {
    async add(event) {
      if (full) return
      let kept: object = shortened(event)
      let size = Buffer.byteLength(JSON.stringify(kept))
      if (size > largestEvent) {
        kept = { type: event.type, cut: [`the event, of ${size} bytes`] }
        size = 0
      }
      // The last line of a full transcript.
      full = events + 1 >= limits.events || bytes + size > limits.bytes
      bytes += size
      await write(full ? { type: 'truncated', message: 'The rest of the run is not in this transcript: it is too long.' } : kept)
    },
    get events() {
      return events
    },
    [Symbol.asyncDispose]: () => lines.close(),
  }
}
