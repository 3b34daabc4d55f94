import { useConnection } from '../live.ts'

/** The icon and colour of each state. The state is also clear without the colour. */
const looks: Readonly<Record<string, readonly [icon: string, colour: string]>> = {
  waiting: ['wait', 'warn'],
  failing: ['fail', 'bad'],
  limited: ['limit', 'warn'],
  working: ['run', 'run'],
  running: ['run', 'run'],
  starting: ['start', 'run'],
  idle: ['idle', ''],
  sleeping: ['sleep', ''],
  stopped: ['stop', ''],
  archived: ['stop', ''],
  queued: ['queue', ''],
  done: ['done', 'good'],
  failed: ['fail', 'bad'],
  cancelled: ['cancel', ''],
  interrupted: ['cut', 'bad'],
  allowed: ['done', 'good'],
  denied: ['x', 'bad'],
  held: ['held', 'warn'],
  holds: ['done', 'good'],
  fails: ['fail', 'bad'],
  'not run': ['idle', ''],
  'given up': ['wait', 'warn'],
  healthy: ['done', 'good'],
  'expires soon': ['wait', 'warn'],
  expired: ['fail', 'bad'],
  open: ['live', 'good'],
  on: ['done', 'good'],
  off: ['stop', ''],
  paused: ['held', ''],
  delivered: ['done', 'good'],
  'given-up': ['fail', 'bad'],
  skipped: ['cut', 'warn'],
  revoked: ['x', ''],
  active: ['done', 'good'],
  unusable: ['fail', 'bad'],
  'no login': ['fail', 'bad'],
  pending: ['queue', ''],
  ended: ['stop', ''],
  unfinished: ['cut', 'warn'],
  sealed: ['lock', 'good'],
  checked: ['done', 'good'],
  scored: ['done', 'good'],
  missing: ['fail', 'warn'],
  locked: ['lock', 'warn'],
  unlocked: ['key', 'good'],
  connected: ['live', 'good'],
  broken: ['fail', 'bad'],
}
/** States that are not known without a connection. */
const ofNow: ReadonlySet<string> = new Set(['working', 'running', 'starting', 'waiting', 'held'])

export function State({ of, pill = false }: { readonly of: string; readonly pill?: boolean }) {
  const [icon, colour] = looks[of] ?? ['idle', '']
  const isKnown = useConnection().status !== 'offline' || !ofNow.has(of)
  return (
    <span className={`st${colour === '' || !isKnown ? '' : ` st-${colour}`}${pill ? ' pill' : ''}${isKnown ? '' : ' was'}`}>
      <i className={`i i-${icon}`} />
      {isKnown ? of : `was ${of}`}
    </span>
  )
}

/** The name of a state, for example on a filter, without a claim to be current. */
export function StateName({ of }: { readonly of: string }) {
  const [icon, colour] = looks[of] ?? ['idle', '']
  return (
    <span className={`st${colour === '' ? '' : ` st-${colour}`}`}>
      <i className={`i i-${icon}`} />
      {of}
    </span>
  )
}

/** The outcomes of the last jobs, oldest first. Failed ones are taller. */
export function Ticks({ states }: { readonly states: readonly string[] }) {
  if (states.length === 0) return <span className="soft">–</span>
  const counts = new Map<string, number>()
  for (const each of states) counts.set(each, (counts.get(each) ?? 0) + 1)
  const label = [...counts].map(([state, number]) => `${number} ${state}`).join(', ')
  return (
    <span className="ticks" role="img" aria-label={`Last ${states.length} jobs: ${label}`}>
      {states.map((each, n) => (
        <b
          key={n}
          className={each === 'failed' || each === 'interrupted' ? 'f' : each === 'cancelled' ? 'c' : each === 'done' ? undefined : 'r'}
        />
      ))}
    </span>
  )
}

/** A bar for used and total amounts. It is red near the end, unless it shows a share (`isShare`) of something without a limit. */
export function Bar({
  used,
  of,
  label,
  isShare = false,
}: {
  readonly used: number
  readonly of: number
  readonly label: string
  readonly isShare?: boolean
}) {
  const share = of <= 0 ? 100 : Math.min(100, (100 * used) / of)
  return (
    <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect className="track" width="100" height="6" rx="1" />
      <rect className={`fill${isShare ? '' : share >= 100 ? ' x' : share >= 80 ? ' w' : ''}`} width={share} height="6" rx="1" />
    </svg>
  )
}
