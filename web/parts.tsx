import type { ReactNode } from 'react'

/** Icon, word, colour: without the colour it says the same. */
const looks: Readonly<Record<string, readonly [icon: string, colour: string]>> = {
  working: ['run', 'run'],
  running: ['run', 'run'],
  idle: ['idle', ''],
  stopped: ['stop', ''],
  archived: ['stop', ''],
  failing: ['fail', 'bad'],
  queued: ['queue', ''],
  waiting: ['wait', 'warn'],
  done: ['done', 'good'],
  failed: ['fail', 'bad'],
  cancelled: ['cancel', ''],
  interrupted: ['cut', 'bad'],
}

export function State({ of }: { readonly of: string }) {
  const [icon, colour] = looks[of] ?? ['idle', '']
  return (
    <span className={`st${colour === '' ? '' : ` st-${colour}`}`}>
      <i className={`i i-${icon}`} />
      {of}
    </span>
  )
}

/** A link within the page. Middle clicks and the like stay the browser's. */
export function Link({
  to,
  children,
  ...more
}: {
  readonly to: string
  readonly children: ReactNode
  readonly className?: string
  readonly current?: boolean
}) {
  return (
    <a
      href={to}
      className={more.className}
      aria-current={more.current === true ? 'page' : undefined}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        go(to)
      }}
    >
      {children}
    </a>
  )
}

export function go(to: string): void {
  history.pushState(null, '', to)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** What a page shows before there is anything, and when loading failed. */
export function Pending({ data, problem }: { readonly data: unknown; readonly problem: string | null }) {
  if (problem !== null)
    return (
      <p className="aside bad" role="alert">
        <i className="i i-fail" />
        <span>{problem}</span>
      </p>
    )
  return data === null ? <p className="soft">Loading …</p> : null
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** `12 min`: the largest unit that fits. */
export function span(ms: number): string {
  const [size, name] = units.find(([each]) => ms >= each) ?? [1_000, 's']
  return `${Math.max(0, Math.floor(ms / size))} ${name}`
}

export function Ago({ at }: { readonly at: string | null }) {
  if (at === null) return <span className="soft">–</span>
  return <time title={new Date(at).toLocaleString()}>{span(Date.now() - Date.parse(at))}</time>
}

export const usd = (value: number | null | undefined): string => (value == null ? '–' : `$${value.toFixed(2)}`)
