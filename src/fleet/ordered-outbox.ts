import { messageOf } from '../base/errors.ts'
import { type Alarm, type AlarmOptions, setAlarm } from './alarm.ts'

/** Milliseconds before the next attempt after an error that is not the receiver's. */
const errorMs = 30_000

/** A receiver with something to send. */
export interface Line {
  /** What it sends one at a time. */
  readonly key: string
  /** The number of failed attempts to send its next item. */
  readonly attempts: number
  /** When the next attempt is due, in milliseconds since the epoch; null: now. */
  readonly dueAt: number | null
}

/** The answer of a receiver. */
export interface SendAnswer {
  /** Why the item was not taken, in one sentence; null if it was. */
  readonly problem: string | null
  /** Milliseconds that the receiver asks to wait. Such an attempt does not count. */
  readonly retryAfter?: number | null
  /** Whether another attempt is useless. */
  readonly isFinal?: boolean
}

/** What became of an item. `nextAt`: milliseconds since the epoch; null if it was sent or given up. */
export interface Attempt {
  readonly state: 'sent' | 'waiting' | 'given-up'
  readonly attempts: number
  readonly nextAt: number | null
}

export interface OutboxOptions<L extends Line, Item, A extends SendAnswer> extends Pick<AlarmOptions, 'now' | 'log'> {
  /** What it sends, for messages: `a webhook`. */
  readonly what: string
  readonly lines: () => readonly L[]
  /** Returns the next item of a line; null if there is none, `later` to let other lines go first. */
  readonly item: (line: L) => Item | 'later' | null
  readonly send: (line: L, item: Item, signal: AbortSignal) => Promise<A>
  /** Records what became of an item, before the next one of its line is sent. */
  readonly record: (line: L, item: Item, answer: A, attempt: Attempt) => void
  /** Milliseconds after the first, the second, … failed attempt; after the last one it gives up. */
  readonly waits: readonly number[]
  /** The longest time that a receiver may ask to wait, in milliseconds; by default none may. */
  readonly longestAskedMs?: number
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
}

export interface Outbox extends Disposable {
  /** Looks soon for items to send. */
  ring(): void
  /** Aborted when the outbox is disposed. */
  readonly signal: AbortSignal
}

/**
 * Sends the items of lines, for each line one at a time, in order and at least once. An item counts as sent once that is on the disk, so an
 * item in transit is sent again after the server was killed.
 */
export function openOutbox<L extends Line, Item, A extends SendAnswer>(options: OutboxOptions<L, Item, A>): Outbox {
  const { what, lines, item, send, record, waits, longestAskedMs = 0, warn, now } = options
  const closing = new AbortController()
  const { signal } = closing
  /** Lines with an item in transit. */
  const busy = new Set<string>()

  const deliver = async (line: L, next: Item): Promise<void> => {
    const answer = await send(line, next, signal)
    if (signal.aborted) return
    const { problem, retryAfter = null, isFinal = false } = answer
    const wait = problem === null || isFinal ? undefined : (retryAfter ?? waits[line.attempts])
    const attempts = line.attempts + (retryAfter === null ? 1 : 0)
    const state = problem === null ? 'sent' : wait === undefined ? 'given-up' : 'waiting'
    record(line, next, answer, { state, attempts, nextAt: wait === undefined ? null : now() + wait })
  }
  const start = (line: L, next: Item): void => {
    const free = (): void => {
      busy.delete(line.key)
      alarm.ring()
    }
    busy.add(line.key)
    deliver(line, next).then(free, (error: unknown) => {
      if (signal.aborted) return
      warn(`${what} could not be handled: ${messageOf(error)}`, { key: line.key })
      setTimeout(free, errorMs).unref()
    })
  }
  /** Returns the milliseconds until the next attempt. A longer wait than any that was set means that the clock was set back. */
  const leftOf = ({ dueAt, attempts }: L): number => {
    const left = (dueAt ?? 0) - now()
    return left > Math.max(waits[attempts - 1] ?? 0, longestAskedMs) ? 0 : Math.max(0, left)
  }
  const look = (): number | null => {
    let next: number | null = null
    for (const line of lines()) {
      if (busy.has(line.key)) continue
      const left = leftOf(line)
      if (left > 0) {
        next = Math.min(next ?? Number.POSITIVE_INFINITY, now() + left)
        continue
      }
      const found = item(line)
      if (found === 'later') alarm.ring()
      else if (found !== null) start(line, found)
    }
    return next
  }
  const alarm: Alarm = setAlarm({
    look,
    failed: (error) => warn(`what ${what} sends could not be read: ${error}`, {}),
    now,
    log: options.log,
  })
  return {
    ring: alarm.ring,
    signal,
    [Symbol.dispose]() {
      closing.abort()
      alarm[Symbol.dispose]()
    },
  }
}
