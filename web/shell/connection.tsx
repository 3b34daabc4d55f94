import { useConnection } from '../live.ts'
import { count } from '../parts/shown-text.ts'
import { Ago } from '../parts/time.tsx'

const looks = {
  connecting: ['sync', 'sync', 'Connecting …'],
  live: ['', 'live', 'Live'],
  'catching-up': ['sync', 'sync', 'Catching up'],
  offline: ['off', 'off', 'Offline'],
} as const

/** An indicator of whether the data on the page is up to date. */
export function Connection({ short = false }: { readonly short?: boolean }) {
  const { status, event, left, since } = useConnection()
  const [look, icon, word] = looks[status]
  return (
    <span className={`conn ${look}`} role="status">
      <i className={`i i-${icon}`} />
      <span>
        <b className={short && status === 'live' ? 'sr' : undefined}>{word}</b>
        {short ? null : (
          <span className="soft">
            {status === 'live' && event !== null ? ` · event ${count(event)}` : null}
            {status === 'catching-up' ? ` · ${count(left)} events left` : null}
            {status === 'offline' ? (
              <>
                {' '}
                for <Ago at={new Date(since).toISOString()} />
              </>
            ) : null}
          </span>
        )}
      </span>
    </span>
  )
}
