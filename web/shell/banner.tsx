import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useServer } from '../ask-server.ts'
import { dataOf } from '../data.ts'
import { useInbox } from '../inbox.ts'
import { useConnection } from '../live.ts'
import { api, sessionEnd } from '../page-session.ts'
import { linkOf, waitingText } from '../pages/inbox/waiting-text.ts'
import { useAct } from '../parts/act.ts'
import { Link } from '../parts/link.tsx'
import { count } from '../parts/shown-text.ts'
import { Foreign } from '../parts/text.tsx'
import { Ago, Until, useClock } from '../parts/time.tsx'
import { useMay } from '../who.ts'
import { isOfOtherBuild } from './page-build.ts'

/** The time before the end of a session at which the page shows a warning, in milliseconds. */
const soonMs = 10 * 60_000

/** Shows the most important message: offline, another version, the end of the session, catching up, a pause, or what waits for a human. */
export function Banner() {
  const { status, left, since } = useConnection()
  const [isOld, setOld] = useState(false)
  useEffect(() => {
    if (status === 'live') void isOfOtherBuild().then(setOld)
  }, [status])
  const end = sessionEnd()
  const isEnding = useClock((now) => end !== null && end > now && end - now < soonMs)
  const [path] = useLocation()
  const inbox = useInbox().data ?? []
  const paused = useServer().data?.paused ?? null
  if (status === 'offline')
    return (
      <div className="banner bad" role="status">
        <i className="i i-off" />
        <span>
          <b>Offline</b> for <Ago at={new Date(since).toISOString()} />. The page shows the state at that time, and continues once the
          server answers.
        </span>
      </div>
    )
  if (isOld)
    return (
      <div className="banner" role="status">
        <i className="i i-sync" />
        <span>The server has a different version than this page.</span>
        <button className="btn" type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    )
  if (end !== null && isEnding)
    return (
      <div className="banner" role="status">
        <i className="i i-wait" />
        <span>
          You will be signed out in <Until at={new Date(end).toISOString()} />. To stay signed in, run <code>paddock open</code> on the
          server’s machine, and open the link. Drafts are kept.
        </span>
      </div>
    )
  if (status === 'catching-up')
    return (
      <div className="banner run" role="status">
        <i className="i i-sync" />
        <span>Catching up: {count(left)} events remain.</span>
      </div>
    )
  if (paused !== null) return <Paused {...paused} />
  // Questions of the job on the page come before those of others.
  const first = inbox.find(({ job }) => job !== null && path.startsWith(`/jobs/${job}`)) ?? inbox[0]
  if (first === undefined || path.startsWith('/inbox') || path === '/fleet' || path === '/') return null
  // The egress page answers these questions itself.
  if (path === '/egress' && inbox.every(({ kind }) => kind === 'egress')) return null
  return (
    <section className="banner" aria-label="Waiting for you">
      <i className="i i-wait" />
      <span className="cut grow">
        <b>{waitingText(inbox)}</b> <Foreign>{first.text}</Foreign>
      </span>
      {first.expiresAt === null ? null : (
        <span className="nw small">
          <Until at={first.expiresAt} /> left
        </span>
      )}
      <Link className="btn" to={`/inbox/${first.id}`}>
        {linkOf(first)}
      </Link>
    </section>
  )
}

/** The pause of a restored fleet, which an owner ends. */
function Paused({ jobs }: { readonly jobs: boolean }) {
  const isOwner = useMay('owner')
  const { run, isSending, problem } = useAct(async () => void dataOf(await api.POST('/api/v1/resume')))
  return (
    <section className="banner" aria-label="Paused">
      <i className="i i-wait" />
      <span className="grow">
        <b>This fleet was restored from a backup and is paused.</b> Schedules, webhooks, hooks and Discord do nothing
        {jobs ? ', and queued jobs do not start' : ''}.{problem === null ? null : ` ${problem}`}
      </span>
      {isOwner ? (
        <button className="btn" type="button" disabled={isSending} onClick={() => run()}>
          Resume
        </button>
      ) : null}
    </section>
  )
}
