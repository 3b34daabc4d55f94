import { setImmediate } from 'node:timers/promises'
import { follow } from './follow-log.ts'
import type { Numbered } from './numbered.ts'
import { Outbox } from './stream-outbox.ts'

export interface StreamLimits {
  readonly heartbeatMs: number
  /** The most bytes that may wait for a reader that was up to date. */
  readonly mostBytes: number
  readonly mostItems: number
  /** The number of waiting bytes up to which a reader that is catching up gets more. */
  readonly lowBytes: number
  /** The most heartbeats during which a reader may accept none of the waiting data. */
  readonly stalledBeats: number
  /** The time in milliseconds that a reader has to receive the data that was sent before the end. */
  readonly lingerMs: number
}

export const streamLimits: StreamLimits = {
  heartbeatMs: 10_000,
  mostBytes: 1024 * 1024,
  mostItems: 10_000,
  lowBytes: 256 * 1024,
  stalledBeats: 3,
  lingerMs: 10_000,
}

/** The encoding of items for one kind of connection. Each text is one frame. */
export interface Encoding<T> {
  items(items: readonly T[]): Iterable<{ readonly data: string; readonly items: number }>
  reset(facts: { readonly first: number; readonly last: number; readonly position: number }): string
  heartbeat(facts: { readonly last: number; readonly position: number }): string
}

export interface Pumping<T> {
  readonly source: Numbered<T>
  readonly after: number
  readonly encoding: Encoding<T>
  /** Calls `taken` once the socket has accepted the data, or never will. */
  readonly send: (data: string, taken: () => void) => void
  /** Aborted to end the stream for any external reason. */
  readonly signal: AbortSignal
  readonly limits: StreamLimits
  /** Called at each heartbeat. */
  readonly onBeat?: () => void
}

/** The end of a stream: the source has ended, the reader was too slow, or the signal was aborted. */
export type PumpEnd = 'ended' | 'slow' | 'aborted'

/**
 * Sends a source to one reader. A reader that is catching up gets as much as it accepts, however slowly. A reader that was up to date
 * and then falls too far behind is dropped, so that it uses no more memory. It can reconnect and catch up.
 */
export async function pump<T>(pumping: Pumping<T>): Promise<PumpEnd> {
  const { source, encoding, limits } = pumping
  const stalled = new AbortController()
  const signal = AbortSignal.any([pumping.signal, stalled.signal])
  const outbox = new Outbox(pumping.send)
  let position = Math.min(pumping.after, source.last)
  const beat = (): void => outbox.put(encoding.heartbeat({ last: source.last, position }), 0)
  let taken = -1
  let beats = 0
  const timer = setInterval(() => {
    beats = outbox.bytes > 0 && outbox.taken === taken ? beats + 1 : 0
    taken = outbox.taken
    if (beats >= limits.stalledBeats) stalled.abort()
    pumping.onBeat?.()
    if (!signal.aborted && beats === 0) beat()
  }, limits.heartbeatMs)
  try {
    // Report the start of the stream, so that a reader that is cut off before its first item can resume.
    if (pumping.after <= source.last) beat()
    let caughtUp = position >= source.last
    for await (const step of follow(source, pumping.after, signal)) {
      if (step.kind === 'reset') {
        outbox.put(encoding.reset({ first: source.first, last: source.last, position: step.position }), 0)
        caughtUp = false
      } else
        for (const { data, items } of encoding.items(step.items)) {
          outbox.put(data, items)
          if (!caughtUp) await outbox.below(limits.lowBytes, signal)
          else if (outbox.bytes > limits.mostBytes || outbox.items > limits.mostItems) return 'slow'
          if (signal.aborted) break
        }
      position = step.position
      // Sockets accept data between turns of the event loop.
      if (position < source.last) await setImmediate()
      else caughtUp = true
    }
    if (stalled.signal.aborted) return 'slow'
    return signal.aborted ? 'aborted' : 'ended'
  } finally {
    clearInterval(timer)
  }
}
