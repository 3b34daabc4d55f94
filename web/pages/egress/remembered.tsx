import { changed, dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Trouble } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { visible } from '../../parts/visible.ts'
import { useMay } from '../../who.ts'
import { useApprovals, wish } from './approval-list.ts'

/** The answers that apply to every cell. */
export function Remembered() {
  const remembered = useApprovals().data?.remembered ?? null
  const isOwner = useMay('owner')
  const remove = useAct(async (answer: string) => {
    dataOf(await api.DELETE('/api/v1/approvals/{answer}', { params: { path: { answer } } }))
    changed(['inbox', 'approvals'])
    say('The answer was removed')
  })
  // Errors are shown above, with the held connections.
  if (remembered === null) return null
  return (
    <section className="card" aria-labelledby="remembered">
      <header>
        <h2 id="remembered">Remembered answers</h2>
      </header>
      {remembered.length === 0 ? (
        <p className="soft small pad">None. “Always allow” adds one, for every cell on this machine.</p>
      ) : (
        <>
          <ul className="files">
            {remembered.toReversed().map((each) => (
              <li key={each.id}>
                <State of={each.allowed ? 'allowed' : 'denied'} />
                <code className="grow xs any">
                  <Foreign>{wish(each)}</Foreign>
                </code>
                <span className="soft xs nw">
                  <Ago at={each.at} />
                </span>
                {isOwner ? (
                  <button
                    className="btn"
                    type="button"
                    aria-label={`Remove the answer about ${visible(wish(each))}`}
                    disabled={remove.isSending}
                    onClick={() => remove.run(each.id)}
                  >
                    Remove
                  </button>
                ) : null}
              </li>
            ))}
          </ul>
          {remove.problem === null ? null : <Trouble problem={remove.problem} />}
          <p className="soft xs pad">{isOwner ? 'After a removal, cells ask again.' : 'Only owners can remove answers.'}</p>
        </>
      )}
    </section>
  )
}
