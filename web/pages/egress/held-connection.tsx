import { useEffect, useState } from 'react'
import { changed, dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Link } from '../../parts/link.tsx'
import { Trouble } from '../../parts/notice.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Until } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { visible } from '../../parts/visible.ts'
import { useMay } from '../../who.ts'
import { type Question, wish } from './approval-list.ts'

type Scope = 'once' | 'cell' | 'always'
/** Milliseconds in which a user cannot have read a new question. */
const settleMs = 500

/** One held connection in full, with its answers. `order` changes when the connection may have moved on the screen. */
export function HeldConnection({
  question,
  order,
  onOwn,
}: {
  readonly question: Question
  readonly order: string
  /** Called with true if this page will show the outcome, else with false. */
  readonly onOwn: (isOwn: boolean) => void
}) {
  const mayAnswer = useMay('operator')
  const mayAlways = useMay('owner')
  const [isAsking, setAsking] = useState(false)
  const [given, setGiven] = useState<string | null>(null)
  const [isSettled, setSettled] = useState(false)
  const place = wish(question)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each order is another place on the screen
  useEffect(() => {
    setSettled(false)
    const timer = setTimeout(() => setSettled(true), settleMs)
    return () => clearTimeout(timer)
  }, [order])
  const answer = useAct(async (allowed: boolean, scope: Scope) => {
    onOwn(true)
    try {
      const params = { path: { approval: question.id } }
      dataOf(await api.POST('/api/v1/approvals/{approval}/answer', { params, body: { allowed, scope } }))
      say(`${allowed ? 'Allowed' : 'Denied'}: ${visible(place)}`)
    } catch (error) {
      // Another person was faster, or the answer did not arrive. The list shows which.
      onOwn(false)
      throw error
    } finally {
      changed(['inbox'])
    }
  })
  const give = (name: string, allowed: boolean, scope: Scope): void => {
    setGiven(name)
    setAsking(false)
    answer.run(allowed, scope)
  }
  const choice = (name: string, effect: string, look: string, act: () => void) => (
    // Do not disable the button, because that would remove the focus.
    <button
      className={`answer ${look}`}
      type="button"
      disabled={answer.isSending}
      aria-disabled={!isSettled}
      onClick={() => (isSettled ? act() : undefined)}
    >
      <b>{answer.isSending && given === name ? 'Sending …' : name}</b>
      <span>{effect}</span>
    </button>
  )
  return (
    <article className="card pad stack" aria-label={`Held: ${place}`}>
      <div className="row">
        <i className="i i-held warn" />
        <span className="grow">
          <b>
            {question.agent === null ? (
              <Foreign>{question.cellName}</Foreign>
            ) : (
              <Link to={question.job === null ? `/agents/${question.agent}/jobs` : `/jobs/${question.job}`}>{question.agent}</Link>
            )}
          </b>{' '}
          wants to {question.request === null ? 'reach' : 'send'}
        </span>
        <span className="small nw">
          <Until at={question.expiresAt} /> left
        </span>
      </div>
      <div className="asked mono any">
        <Foreign>{place}</Foreign>
      </div>
      <p className="soft small">
        {question.source === 'user' ? 'Its manifest or the options of its run require' : `The rules ${question.source} require`} a question.
        If nobody answers, it is denied.
      </p>
      {answer.problem === null ? null : <Trouble problem={answer.problem} />}
      {mayAnswer ? (
        <div className="answers">
          {choice('Allow once', question.request === null ? 'Only this connection.' : 'Only this request.', 'yes', () =>
            give('Allow once', true, 'once'),
          )}
          {choice('Deny', question.request === null ? 'This connection fails.' : 'This request fails.', 'no', () =>
            give('Deny', false, 'once'),
          )}
          {choice('Allow for this cell', 'Repeats are allowed too, until its cell ends.', '', () =>
            give('Allow for this cell', true, 'cell'),
          )}
          {mayAlways
            ? choice('Always allow …', 'Every cell on this machine, from now on. Asks for confirmation.', '', () => setAsking(true))
            : null}
        </div>
      ) : (
        <p className="soft small">Only an operator or owner can answer.</p>
      )}
      {isAsking ? (
        <Dialog label="Always allow" onClose={() => setAsking(false)}>
          <div className="pad stack">
            <h2>Always allow this?</h2>
            <p>From now on, no cell on this machine asks about it. This line is added to the remembered answers:</p>
            <pre className="cmd">
              allow <Foreign>{place}</Foreign>
            </pre>
            <p className="row">
              <button className="btn" type="button" autoFocus onClick={() => setAsking(false)}>
                Keep asking
              </button>
              <button className="btn main end" type="button" onClick={() => give('Always allow …', true, 'always')}>
                Always allow
              </button>
            </p>
          </div>
        </Dialog>
      ) : null}
    </article>
  )
}
