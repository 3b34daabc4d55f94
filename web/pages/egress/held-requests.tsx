import { useEffect, useRef, useState } from 'react'
import { Pending } from '../../parts/notice.tsx'
import { many } from '../../parts/shown-text.ts'
import { type Question, useApprovals } from './approval-list.ts'
import { Gone } from './gone.tsx'
import { HeldConnection } from './held-connection.tsx'

/** The connections that wait for a human. Those that end without an answer from this page stay until they are dismissed. */
export function Held() {
  const approvals = useApprovals()
  const open = approvals.data?.open ?? null
  const known = useRef(new Map<string, Question>())
  const own = useRef(new Set<string>())
  const [gone, setGone] = useState<readonly Question[]>([])
  useEffect(() => {
    if (open === null) return
    const ids = new Set(open.map(({ id }) => id))
    const lost = [...known.current.values()].filter(({ id }) => !ids.has(id) && !own.current.has(id))
    known.current = new Map(open.map((each) => [each.id, each]))
    if (lost.length > 0) setGone((before) => [...lost, ...before].slice(0, 5))
  }, [open])
  return (
    <section className="stack" aria-labelledby="held">
      <h2 id="held" className={open === null || open.length === 0 ? 'sr' : undefined}>
        {open === null || open.length === 0 ? 'Held' : `${many(open.length, 'connection is', 'connections are')} held`}
      </h2>
      <Pending {...approvals} rows={1} />
      {open?.length === 0 && gone.length === 0 ? <p className="soft small">No connection is held.</p> : null}
      {open?.map((each) => (
        <HeldConnection
          key={each.id}
          question={each}
          order={open.map(({ id }) => id).join()}
          onOwn={(isOwn) => (isOwn ? own.current.add(each.id) : own.current.delete(each.id))}
        />
      ))}
      {gone.map((each) => (
        <Gone key={each.id} question={each} onDismiss={() => setGone((before) => before.filter(({ id }) => id !== each.id))} />
      ))}
    </section>
  )
}
