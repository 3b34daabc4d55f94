import { useEffect, useState } from 'react'
import { type Item, useInbox } from '../../inbox.ts'
import { useAct } from '../../parts/act.ts'
import { Link } from '../../parts/link.tsx'
import { Notice, Trouble } from '../../parts/notice.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Until } from '../../parts/time.tsx'
import { visible } from '../../parts/visible.ts'
import { useMay } from '../../who.ts'
import { answer } from '../inbox/inbox-answers.ts'

/** Milliseconds in which a new question ignores clicks, because a click may have been meant for something else. */
const guardMs = 500

/** The questions of this job, shown after its events. */
export function Held({ job }: { readonly job: string }) {
  const items = (useInbox().data ?? []).filter((each) => each.job === job)
  return items.map((each) => <One key={each.id} item={each} />)
}

function One({ item }: { readonly item: Item }) {
  const mayAnswer = useMay('operator')
  const [isGuarded, setGuarded] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setGuarded(false), guardMs)
    return () => clearTimeout(timer)
  }, [])
  const act = useAct((allowed: boolean) => answer(item, { allowed, scope: 'once', text: '' }))
  const isAsked = item.kind === 'egress' || item.kind === 'tool'
  const press = (allowed: boolean) => (): void => {
    if (!isGuarded) act.run(allowed)
  }
  return (
    <section className="stack" aria-label={`Asks: ${visible(item.subject ?? item.text)}`}>
      {act.problem === null ? null : <Trouble problem={act.problem} />}
      <Notice
        actions={
          <>
            <Link className="btn" to={`/inbox/${item.id}`}>
              {isAsked && mayAnswer ? 'Other options' : 'Answer'}
            </Link>
            {isAsked && mayAnswer ? (
              <>
                <button className="btn" type="button" disabled={act.isSending} aria-disabled={isGuarded} onClick={press(false)}>
                  Deny
                </button>
                <button className="btn main" type="button" disabled={act.isSending} aria-disabled={isGuarded} onClick={press(true)}>
                  {act.isSending ? 'Sending …' : 'Allow once'}
                </button>
              </>
            ) : null}
          </>
        }
      >
        <b>{item.kind === 'egress' ? 'Held:' : 'Waiting for you:'}</b>{' '}
        <code className="any">
          <Foreign>{item.subject ?? item.text}</Foreign>
        </code>{' '}
        {item.expiresAt === null ? null : (
          <span className="nw">
            <Until at={item.expiresAt} /> left.
          </span>
        )}
      </Notice>
    </section>
  )
}
