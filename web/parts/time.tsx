import { useSyncExternalStore } from 'react'
import { exact, left, span } from './shown-text.ts'

/** The time on the single clock for all ages on the page, which stops while the page is hidden. */
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const watchers = new Set<() => void>()

function tick(): void {
  if (document.hidden) return
  now = Date.now()
  for (const each of [...watchers]) each()
}

function watch(changed: () => void): () => void {
  watchers.add(changed)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(tick, 1_000)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    watchers.delete(changed)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', tick)
  }
}

/** Returns the result of `shown` for the current time. Redraws only when the result changes. */
export function useClock<Shown extends string | number | boolean>(shown: (now: number) => Shown): Shown {
  return useSyncExternalStore(watch, () => shown(now))
}

/** The time since a moment. The title contains the exact time. */
export function Ago({ at }: { readonly at: string | null }) {
  const text = useClock((each) => (at === null ? '–' : span(Math.max(0, each - Date.parse(at)))))
  return at === null ? (
    <span className="soft">–</span>
  ) : (
    <time dateTime={at} title={exact(at)}>
      {text}
    </time>
  )
}

const lateMs = 30_000

/** The time until a moment, amber in the last 30 seconds. */
export function Until({ at }: { readonly at: string }) {
  const text = useClock((each) => left(Date.parse(at) - each))
  const isLate = useClock((each) => Date.parse(at) - each < lateMs)
  return (
    <time dateTime={at} title={exact(at)} className={isLate ? 'warn' : undefined}>
      {text}
    </time>
  )
}

/** A thin bar that shows the time left until `at`, as a share of the time from `since`. The time as text is next to the bar. */
export function TimeLeft({ since, at }: { readonly since: string; readonly at: string }) {
  const all = Date.parse(at) - Date.parse(since)
  const share = useClock((each) => (all <= 0 ? 0 : Math.round(Math.max(0, Math.min(100, (100 * (Date.parse(at) - each)) / all)))))
  const isLate = useClock((each) => Date.parse(at) - each < lateMs)
  return (
    <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className="track" width="100" height="6" rx="1" />
      <rect className={isLate ? 'fill w' : 'fill'} width={share} height="6" rx="1" />
    </svg>
  )
}
