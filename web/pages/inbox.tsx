import { useState } from 'react'
import type { components } from '../../src/client/api.ts'
import { dataOf, useLoaded } from '../live.ts'
import { Link, Pending } from '../parts.tsx'
import { api } from '../session.ts'

type Item = components['schemas']['Inbox']['items'][number]

const load = async () => dataOf(await api.GET('/api/v1/inbox')).items

/** Everything that waits for a human. A question is shown in full, and answered here. */
export function Inbox() {
  const inbox = useLoaded('inbox', load, () => true)
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set())
  if (inbox.data === null) return <Pending {...inbox} />
  const items = inbox.data.filter((each) => !answered.has(each.id))
  return (
    <div className="stack">
      <Pending {...inbox} />
      {items.length === 0 ? <p className="soft">Nothing waits for you.</p> : null}
      {items.map((each) => (
        <Question key={`${each.kind} ${each.id}`} item={each} onAnswered={() => setAnswered((before) => new Set([...before, each.id]))} />
      ))}
    </div>
  )
}

const icons: Readonly<Record<Item['kind'], string>> = {
  ask: 'held',
  tool: 'held',
  egress: 'held',
  login: 'key',
  budget: 'coin',
  agent: 'fail',
}

function Question({ item, onAnswered }: { readonly item: Item; readonly onAnswered: () => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const [text, setText] = useState('')
  const answer = async (allowed: boolean): Promise<void> => {
    setSending(true)
    const { error } = await (item.kind === 'egress'
      ? api.POST('/api/v1/approvals/{approval}/answer', {
          params: { path: { approval: item.id } },
          body: { allowed, scope: 'once' },
        })
      : api.POST('/api/v1/inbox/{id}/answer', { params: { path: { id: item.id } }, body: { allowed, text } }))
    setSending(false)
    if (error === undefined) onAnswered()
    else setProblem((error as { detail?: string }).detail ?? 'It could not be answered.')
  }
  return (
    <article className="card pad stack">
      <p>
        <i className={`i i-${icons[item.kind]}`} /> {item.text}
      </p>
      {item.job === null ? null : (
        <p className="small">
          <Link to={`/jobs/${item.job}`}>Its job</Link>
        </p>
      )}
      {problem === null ? null : (
        <p className="aside bad" role="alert">
          <i className="i i-fail" />
          <span>{problem}</span>
        </p>
      )}
      {item.kind === 'ask' ? (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void answer(true)
          }}
        >
          <textarea
            aria-label="Your answer"
            rows={3}
            maxLength={32_000}
            required
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <p className="row">
            <button className="btn" type="button" disabled={isSending} onClick={() => void answer(false)}>
              No answer
            </button>
            <button className="btn main" type="submit" disabled={isSending || text === ''}>
              Answer
            </button>
          </p>
        </form>
      ) : item.kind === 'egress' || item.kind === 'tool' ? (
        <p className="row">
          <button className="btn" type="button" disabled={isSending} onClick={() => void answer(false)}>
            Deny
          </button>
          <button className="btn main" type="button" disabled={isSending} onClick={() => void answer(true)}>
            Allow once
          </button>
          <span className="soft small">{item.kind === 'egress' ? 'This one connection.' : 'This one call.'}</span>
        </p>
      ) : item.hint === null ? null : (
        <pre className="cmd">{item.hint}</pre>
      )}
    </article>
  )
}
