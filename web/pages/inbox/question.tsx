import { type FormEvent, useEffect, useState } from 'react'
import type { Item } from '../../inbox.ts'
import { useAct } from '../../parts/act.ts'
import { Commands } from '../../parts/commands.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useDraft } from '../../parts/draft.ts'
import { useKeys } from '../../parts/keys.ts'
import { Link } from '../../parts/link.tsx'
import { Trouble } from '../../parts/notice.tsx'
import { go } from '../../parts/page-address.ts'
import { Foreign } from '../../parts/text.tsx'
import { TimeLeft, Until } from '../../parts/time.tsx'
import { useMay } from '../../who.ts'
import { Before, JobLink } from './before.tsx'
import { type Answer, answer } from './inbox-answers.ts'
import { kinds, titleOf } from './inbox-kinds.ts'

/** Milliseconds in which a new question ignores keys, because a key may have been meant for something else. */
const guardMs = 500

/** One question in full, with its answers. `isOver`: the question no longer waits. */
export function Question({
  item,
  place,
  isOver,
  onAnswered,
}: {
  readonly item: Item
  readonly place: string
  readonly isOver: boolean
  readonly onAnswered: (item: Item, word: string) => void
}) {
  const mayAnswer = useMay('operator')
  const [icon, colour, word] = kinds[item.kind]
  return (
    <article className="ask" aria-labelledby="question">
      <Link className="phone row b" to="/inbox">
        <i className="i i-left" />
        Inbox <span className="soft">{place}</span>
      </Link>
      <div className="row">
        <span className={`st st-${colour} pill`}>
          <i className={`i i-${icon}`} />
          {word}
        </span>
        <span className="soft small">
          {item.agent === null ? null : <Link to={`/agents/${item.agent}/jobs`}>{item.agent}</Link>}
          {item.job === null ? null : (
            <>
              {' · '}
              <JobLink id={item.job} />
            </>
          )}
        </span>
      </div>
      <h2 id="question">{titleOf(item)}</h2>
      <pre className="asked">
        <Foreign>{item.subject ?? item.text}</Foreign>
      </pre>
      {item.expiresAt === null || isOver ? null : (
        <div className="left">
          <span className="b nw">
            <Until at={item.expiresAt} /> left
          </span>
          {item.askedAt === null ? null : <TimeLeft since={item.askedAt} at={item.expiresAt} />}
          <span className="soft">If nobody answers, the answer is no.</span>
        </div>
      )}
      {item.kind === 'egress' ? <p className="soft small">Its rules require your permission for this. Nothing has been sent yet.</p> : null}
      {item.job === null ? null : <Before key={item.id} job={item.job} />}
      {isOver ? (
        <p className="soft">This was answered elsewhere, or it ended.</p>
      ) : mayAnswer ? (
        <Answers item={item} onAnswered={onAnswered} />
      ) : (
        <p className="soft">Only an operator or owner can answer.</p>
      )}
    </article>
  )
}

function Answers({ item, onAnswered }: { readonly item: Item; readonly onAnswered: (item: Item, word: string) => void }) {
  const [text, setText, forget] = useDraft(`answer ${item.id}`)
  const [isGuarded, setGuarded] = useState(true)
  const [isAlways, setAlways] = useState(false)
  const mayAlways = useMay('owner')
  useEffect(() => {
    setGuarded(true)
    const timer = setTimeout(() => setGuarded(false), guardMs)
    return () => clearTimeout(timer)
  }, [])
  const [sending, setSending] = useState('')
  const act = useAct(async (given: Answer, word: string) => {
    setSending(word)
    await answer(item, given)
    forget()
    onAnswered(item, word)
  })
  const give =
    (allowed: boolean, word: string, scope: Answer['scope'] = 'once') =>
    (): void =>
      act.run({ allowed, scope, text }, word)
  const isAsked = item.kind === 'egress' || item.kind === 'tool'
  const whole = (): boolean => !isGuarded && isInView(document.querySelector('.asked'))
  const key = (press: () => void) => (): void => {
    if (whole()) press()
  }
  useKeys(
    {
      ...(isAsked ? { y: key(give(true, 'Allowed once')), n: key(give(false, 'Denied')) } : {}),
      ...(item.kind === 'egress' ? { c: key(give(true, 'Allowed for this cell', 'cell')) } : {}),
      ...(item.kind === 'egress' && mayAlways ? { a: key(() => setAlways(true)) } : {}),
      ...(item.job === null ? {} : { o: () => go(`/jobs/${item.job}`) }),
    },
    !act.isSending,
  )
  const button = (look: string, icon: string, label: string, letter: string | null, does: string, press: () => void) => (
    <button type="button" className={`answer ${look}`} disabled={act.isSending} onClick={press}>
      <b>
        <i className={`i i-${icon}`} />
        {act.isSending && sending.startsWith(label.replace(/^Allow/, 'Allowed').replace(/^Deny/, 'Denied')) ? 'Sending …' : label}
        {letter === null ? null : <kbd>{letter}</kbd>}
      </b>
      <span>{does}</span>
    </button>
  )
  return (
    <>
      {act.problem === null ? null : <Trouble problem={act.problem} />}
      {item.kind === 'ask' ? (
        <OwnWords
          text={text}
          setText={setText}
          isSending={act.isSending}
          onSend={give(true, 'Answered')}
          onRefuse={give(false, 'Declined')}
        />
      ) : isAsked ? (
        <>
          {item.kind === 'tool' ? (
            <div className="field">
              <label htmlFor="why">
                Tell the agent <span className="soft">(optional, sent if you deny)</span>
              </label>
              <input id="why" maxLength={32_000} value={text} onChange={(event) => setText(event.target.value)} />
            </div>
          ) : null}
          <fieldset className="answers" aria-label="Answer">
            {button(
              'yes',
              'check',
              'Allow once',
              'y',
              item.kind === 'egress' ? 'This one connection' : 'This one call',
              give(true, 'Allowed once'),
            )}
            {button(
              'no',
              'close',
              'Deny',
              'n',
              item.kind === 'egress' ? 'The connection is refused' : 'The agent gets the answer and continues',
              give(false, 'Denied'),
            )}
            {item.kind === 'egress'
              ? button('', 'check', 'Allow for this cell', 'c', 'Until its job ends', give(true, 'Allowed for this cell', 'cell'))
              : null}
            {item.kind === 'egress' && mayAlways
              ? button('', 'check', 'Always allow …', 'a', 'For every future cell on this machine', () => setAlways(true))
              : null}
          </fieldset>
          <p className="soft small kbdhint">
            Keys answer only the question shown here, and not in the first 0.5 s. <kbd>j</kbd> <kbd>k</kbd> move, <kbd>o</kbd> opens the
            job.
          </p>
        </>
      ) : item.kind === 'login' ? (
        <>
          <p>Its jobs fail until the login works. Log in where its CLI runs:</p>
          <p className="row">
            {item.agent === null ? null : (
              <Link className="btn main" to={`/agents/${item.agent}/terminal`}>
                <i className="i i-term" />
                Log in from its terminal
              </Link>
            )}
          </p>
          {item.hint === null ? null : <pre className="cmd">{item.hint}</pre>}
        </>
      ) : (
        <>
          {item.kind === 'key' ? <p>Its jobs fail until its endpoint accepts the key.</p> : null}
          <p className="row">
            {item.agent === null ? null : (
              <Link className="btn" to={`/agents/${item.agent}/manifest`}>
                Open its manifest
              </Link>
            )}
            {item.hint === null ? null : <Commands in={item.hint} />}
          </p>
        </>
      )}
      {isAlways ? (
        <Dialog label="Always allow" onClose={() => setAlways(false)}>
          <div className="pad stack">
            <h2>Allow this from now on?</h2>
            <pre className="asked">
              <Foreign>{item.subject ?? item.text}</Foreign>
            </pre>
            <p>
              From now on, every cell on this machine may reach it without asking, until an owner removes the answer on the Egress page. The
              manifest does not change.
            </p>
            <p className="row">
              <button className="btn" type="button" autoFocus onClick={() => setAlways(false)}>
                Cancel
              </button>
              <button
                className="btn main end"
                type="button"
                onClick={() => {
                  setAlways(false)
                  give(true, 'Always allowed', 'always')()
                }}
              >
                Always allow
              </button>
            </p>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

function OwnWords({
  text,
  setText,
  isSending,
  onSend,
  onRefuse,
}: {
  readonly text: string
  readonly setText: (text: string) => void
  readonly isSending: boolean
  readonly onSend: () => void
  readonly onRefuse: () => void
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() !== '') onSend()
  }
  return (
    <form className="field" onSubmit={submit}>
      <label htmlFor="own">Your answer</label>
      <textarea
        id="own"
        rows={3}
        required
        maxLength={32_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
        }}
      />
      <div className="row">
        <button className="btn" type="button" disabled={isSending} onClick={onRefuse}>
          Decline
        </button>
        <button className="btn main end" type="submit" disabled={isSending || text.trim() === ''}>
          {isSending ? 'Sending …' : 'Send answer'} <kbd>Ctrl ⏎</kbd>
        </button>
      </div>
    </form>
  )
}

/** Returns whether the whole subject is on the screen. */
function isInView(element: Element | null): boolean {
  if (element === null) return false
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}
