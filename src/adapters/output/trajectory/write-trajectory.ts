import { writeAtomic } from '../../../files/atomic.ts'
import { GrowingLines } from '../../../files/growing-lines.ts'
import type { AgentEvent } from '../agent-events.ts'
import { type TimedEvent, type TrajectoryFacts, trajectoryDocument } from './trajectory-document.ts'

/** The maximum length of a line of a transcript in bytes. Longer ones are left out. */
const longestEvent = 64 * 1024 * 1024

/** Writes the trajectory of a run that has ended from its transcript: lines of JSON, each an event with its time in `at`. */
export async function writeTrajectory(file: string, transcript: string, facts: TrajectoryFacts): Promise<void> {
  await writeAtomic(file, trajectoryDocument(eventsIn(transcript), facts))
}

/** Yields the events of a transcript. */
export async function* eventsIn(transcript: string): AsyncGenerator<TimedEvent> {
  for await (const line of new GrowingLines(transcript, longestEvent).more()) {
    // Paddock wrote these lines.
    const { at, ...event } = JSON.parse(line) as { readonly at: string } & AgentEvent
    yield { at, event: event as AgentEvent }
  }
}
