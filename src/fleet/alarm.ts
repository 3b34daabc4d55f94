import { messageOf } from '../base/errors.ts'

/** The longest time between two readings of the clock, in milliseconds: clocks are changed, and machines sleep. */
const longestMs = 30_000
/** Milliseconds before another attempt after an error. */
const againMs = 1_000

/** Does what is due at times of the clock: jobs, schedules, leases, deliveries, the end of retention. */
export interface Alarm extends Disposable {
  /** Looks after the present turn, once for all calls of that turn. */
  ring(): void
  /** Looks at once. */
  look(): void
}

export interface AlarmOptions {
  /** Does what is due. Returns when to look again, in milliseconds since the epoch; null to look only when it rings. */
  readonly look: () => number | null
  /** Reports an error of `look`, which is then called again soon. */
  readonly failed: (error: string) => void
  readonly now: () => number
  /** The log whose growth rings the alarm, because any change may be one of what is due. */
  readonly log?: { onGrowth(listener: () => void): () => void } | undefined
}

/** Sets an alarm, which rings at once. */
export function setAlarm({ look, failed, now, log }: AlarmOptions): Alarm {
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined
  let isClosed = false
  let isLooking = false
  const ring = (): void => {
    if (!isClosed) soon ??= setImmediate(lookNow)
  }
  const lookNow = (): void => {
    if (isClosed) return
    // What is done now made it ring.
    if (isLooking) return ring()
    clearTimeout(timer)
    clearImmediate(soon)
    soon = undefined
    isLooking = true
    let next: number | null
    try {
      next = look()
    } catch (error) {
      failed(messageOf(error))
      next = now() + againMs
    } finally {
      isLooking = false
    }
    if (!isClosed && next !== null) timer = setTimeout(lookNow, Math.min(longestMs, Math.max(0, next - now()))).unref()
  }
  const unlisten = log?.onGrowth(ring)
  ring()
  return {
    ring,
    look: lookNow,
    [Symbol.dispose]() {
      isClosed = true
      unlisten?.()
      clearTimeout(timer)
      clearImmediate(soon)
    },
  }
}

/** Returns a `look` for work that is done once in each period, because an alarm looks more often than something is due. Milliseconds. */
export function every(periodMs: number, work: () => void, now: () => number): () => number {
  let doneAt = Number.NEGATIVE_INFINITY
  return () => {
    // The clock may have been set back.
    if (Math.abs(now() - doneAt) >= periodMs) {
      doneAt = now()
      work()
    }
    return doneAt + periodMs
  }
}
