import { useState } from 'react'
import type { components } from '../../../src/client/api.ts'
import { changed, dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { Trouble } from '../../parts/notice.tsx'
import { go } from '../../parts/page-address.ts'
import { useMay } from '../../who.ts'
import type { Status } from './status.ts'

/** The actions for a contest in its current state. */
export function Actions({ contest, status }: { readonly contest: components['schemas']['Contest']; readonly status: Status | null }) {
  const { id, state, directory } = contest
  const may = useMay('operator')
  const [asked, setAsked] = useState<'cancel' | 'forget' | null>(null)
  const params = { path: { contest: id } }
  const cancel = useAct(async () => {
    dataOf(await api.POST('/api/v1/contests/{contest}/cancel', { params }))
    setAsked(null)
    changed(['contests'])
  })
  const goOn = useAct(async () => {
    const begun = dataOf(await api.POST('/api/v1/contests', { body: { directory, retry: true } }))
    changed(['contests'])
    go(`/contests/${begun.id}`)
  })
  const forget = useAct(async () => {
    dataOf(await api.DELETE('/api/v1/contests/{contest}', { params }))
    go('/contests')
    changed(['contests'])
  })
  if (!may) return null
  // A finished contest can continue only if a participant or judge could not finish.
  const isWhole =
    state === 'done' &&
    Object.values(status?.participants ?? {}).every((each) => each.state !== 'ended') &&
    Object.values(status?.judges ?? {}).every((each) => each.state !== 'failed')
  const problem = cancel.problem ?? goOn.problem ?? forget.problem
  return (
    <div className="row">
      {state === 'running' ? (
        <button className="btn" type="button" onClick={() => setAsked('cancel')}>
          Cancel round …
        </button>
      ) : (
        <>
          {isWhole ? null : (
            <button className="btn main" type="button" disabled={goOn.isSending} onClick={() => goOn.run()}>
              {goOn.isSending ? 'Continuing …' : 'Continue'}
            </button>
          )}
          <button className="btn" type="button" onClick={() => setAsked('forget')}>
            Remove …
          </button>
        </>
      )}
      {problem === null ? null : <Trouble problem={problem} />}
      {asked === 'cancel' ? (
        <Confirm
          title="Cancel this round?"
          act="Cancel round"
          keep="Keep running"
          isSending={cancel.isSending}
          onAct={() => cancel.run()}
          onClose={() => setAsked(null)}
        >
          <p>Running participants and judges lose their work. Sealed work is kept, and the contest can continue later.</p>
        </Confirm>
      ) : null}
      {asked === 'forget' ? (
        <Confirm
          title="Remove this contest?"
          act="Remove contest"
          isSending={forget.isSending}
          onAct={() => forget.run()}
          onClose={() => setAsked(null)}
        >
          <p>It is removed from this list. Its directory, with the submissions and the report, is kept.</p>
        </Confirm>
      ) : null}
    </div>
  )
}
