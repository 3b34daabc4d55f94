import { useRef, useState } from 'react'
import { type Item, useInbox } from '../../inbox.ts'
import { useKeys } from '../../parts/keys.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Pending } from '../../parts/notice.tsx'
import { go } from '../../parts/page-address.ts'
import { clock } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import { Until } from '../../parts/time.tsx'
import { Page } from '../../shell/page.tsx'
import type { Answered } from './inbox-answers.ts'
import { kinds, lineOf } from './inbox-kinds.ts'
import { Question } from './question.tsx'

const mostAnswered = 20
/** The answers sent from this page since it was opened, newest first. */
let answeredHere: readonly Answered[] = []

/** Everything that waits for a human: the list on the left, and one question on the right. */
export function Inbox({ id }: { readonly id?: string }) {
  const inbox = useInbox()
  const [answered, setAnswered] = useState(answeredHere)
  const items = (inbox.data ?? []).filter((each) => !answered.some(({ item }) => item.id === each.id && item.kind === each.kind))
  const last = useRef<Item | null>(null)
  const chosen = items.find((each) => each.id === id) ?? (id === undefined ? items[0] : undefined)
  if (chosen !== undefined) last.current = chosen
  // A question that ended while it was open stays, with a note.
  const gone = chosen === undefined && id !== undefined && last.current?.id === id ? last.current : null
  const shown = chosen ?? gone
  const at = items.findIndex((each) => each.id === shown?.id)
  const step = (by: number) => (): void => {
    const next = items[Math.max(0, Math.min(items.length - 1, at + by))]
    if (next !== undefined) go(`/inbox/${next.id}`)
  }
  useKeys({ j: step(1), k: step(-1) })
  const onAnswered = (item: Item, word: string): void => {
    answeredHere = [{ item, word, at: new Date().toISOString() }, ...answeredHere].slice(0, mostAnswered)
    setAnswered(answeredHere)
    const next = items.filter((each) => each.id !== item.id)[Math.max(0, at)] ?? items.filter((each) => each.id !== item.id)[0]
    go(next === undefined ? '/inbox' : `/inbox/${next.id}`)
  }
  return (
    <Page
      title="Inbox"
      flush
      about={items.length === 0 ? null : <span className="soft small desk">{items.length} waiting</span>}
      actions={
        <Link className="btn desk" to="/settings#notifications">
          <i className="i i-bell" />
          Notifications
        </Link>
      }
    >
      <div className={`panes${id === undefined ? '' : ' one'}`}>
        <section className="list" aria-label="Waiting for you">
          {inbox.problem === null && inbox.data !== null ? null : (
            <div className="pad">
              <Pending {...inbox} rows={3} />
            </div>
          )}
          {inbox.data === null ? null : <h2>Waiting for you · {items.length}</h2>}
          <ul className="list">
            {items.map((each) => (
              <Entry key={`${each.kind} ${each.id}`} item={each} isShown={each.id === shown?.id} />
            ))}
          </ul>
          {answered.length === 0 ? null : (
            <>
              <h2>Answered here</h2>
              <ul className="list">
                {answered.map(({ item, word, at: time }) => (
                  <li key={`${item.kind} ${item.id}`} className="answered">
                    <span className="row">
                      <span className={`st ${/^De(nied|clined)/.test(word) ? 'st-bad' : 'st-good'}`}>
                        <i className={`i i-${/^De(nied|clined)/.test(word) ? 'x' : 'done'}`} />
                        {word}
                      </span>
                      <span className="end xs soft">{clock(time)}</span>
                    </span>
                    <span className="cut small">
                      {item.agent}: <Foreign>{lineOf(item)}</Foreign>
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
        {shown !== null && shown !== undefined ? (
          <Question
            key={`${shown.kind} ${shown.id}`}
            item={shown}
            place={`${at + 1} of ${items.length}`}
            isOver={gone !== null}
            onAnswered={onAnswered}
          />
        ) : inbox.data === null ? null : (
          <div className="ask none">
            <Empty icon="inbox" title={id === undefined ? 'Nothing is waiting for you' : 'This is no longer waiting'}>
              <p>Questions of agents, held tool calls and connections, logins and budgets appear here.</p>
            </Empty>
          </div>
        )}
      </div>
    </Page>
  )
}

function Entry({ item, isShown }: { readonly item: Item; readonly isShown: boolean }) {
  const [icon, colour, word] = kinds[item.kind]
  return (
    <li>
      <Link to={`/inbox/${item.id}`} current={isShown}>
        <span className="row">
          <span className={`st st-${colour}`}>
            <i className={`i i-${icon}`} />
            {word}
          </span>
          {item.expiresAt === null ? null : (
            <span className="end xs">
              <Until at={item.expiresAt} /> left
            </span>
          )}
        </span>
        <Foreign className="cut">{lineOf(item)}</Foreign>
        <span className="soft small cut">{item.agent ?? 'a cell of another command'}</span>
      </Link>
    </li>
  )
}
