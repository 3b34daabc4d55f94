import { useSyncExternalStore } from 'react'
import { exact, left, span } from './words.ts'

/** One clock for all ages of the page; it stands still while nobody looks. */
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

/** What the clock makes of now; it is drawn again only when that changes. */
export function useClock<Shown extends string | number | boolean>(shown: (now: number) => Shown): Shown {
  return useSyncExternalStore(watch, () => shown(now))
}

/** How long ago it was; the exact time under 24 hours is in its title. */
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

/** How long until it is; amber in its last 30 seconds. */
export function Until({ at }: { readonly at: string }) {
  const text = useClock((each) => left(Date.parse(at) - each))
  const isLate = useClock((each) => Date.parse(at) - each < 30_000)
  return (
    <time dateTime={at} title={exact(at)} className={isLate ? 'warn' : undefined}>
      {text}
    </time>
  )
}
