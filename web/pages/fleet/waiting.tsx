import { dataOf, useData } from '../../data.ts'
import { useInbox } from '../../inbox.ts'
import { api } from '../../page-session.ts'
import { Link } from '../../parts/link.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Until } from '../../parts/time.tsx'
import { linkOf, waitingText } from '../inbox/waiting-text.ts'
import { ContestLine } from './contest-line.tsx'

/** Items that wait for a human, and running contests. */
export function Waiting() {
  const inbox = useInbox().data ?? []
  const contests = useData(['contests'], async () => dataOf(await api.GET('/api/v1/contests')).items, { everyMs: 10_000 })
  const running = (contests.data ?? []).filter(({ state }) => state === 'running')
  const [first] = inbox
  if (first === undefined && running.length === 0) return null
  return (
    <section className="stack phone-first" aria-label="Waiting and running">
      {first === undefined ? null : (
        <Notice
          actions={
            <Link className="btn" to={`/inbox/${first.id}`}>
              {linkOf(first)}
            </Link>
          }
        >
          <b>{waitingText(inbox)}</b>{' '}
          {first.expiresAt === null ? null : (
            <>
              The first ends in <Until at={first.expiresAt} />:{' '}
            </>
          )}
          <Foreign>{first.text}</Foreign>
        </Notice>
      )}
      {running.map(({ id, directory }) => (
        <ContestLine key={id} id={id} directory={directory} />
      ))}
    </section>
  )
}
