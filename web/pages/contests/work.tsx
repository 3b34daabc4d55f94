import { useState } from 'react'
import { changed, dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { useKeys } from '../../parts/keys.ts'
import { Empty, Pending, Trouble } from '../../parts/notice.tsx'
import { many } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { Page } from '../../shell/page.tsx'
import { Apply } from '../review/apply.tsx'
import { FileDiff } from '../review/file-diff.tsx'
import { ofContest } from '../review/source.ts'
import { useTicked } from '../review/use-ticked.ts'

const mostLines = 500

/** A participant's changes in the contest's project, to read, apply and undo. */
export function Work({ id, participant }: { readonly id: string; readonly participant: string }) {
  const review = useData(['contests', id, 'work', participant], async () => {
    const params = { path: { contest: id }, query: { participant } }
    return dataOf(await api.GET('/api/v1/contests/{contest}/changes', { params }))
  })
  const changes = review.data?.changes ?? []
  const { chosen, tick, reset } = useTicked(changes)
  const [current, setCurrent] = useState('')
  const undo = useAct(async () => {
    const undone = dataOf(await api.POST('/api/v1/contests/{contest}/undo', { params: { path: { contest: id } } }))
    changed(['contests', id])
    say(`The work of ${undone.participant} was undone`)
  })
  const show = (path: string): void => {
    setCurrent(path)
    document.getElementById(`file-${path}`)?.scrollIntoView({ block: 'start' })
  }
  const step = (by: number) => (): void => {
    const next = changes[Math.max(0, Math.min(changes.length - 1, changes.findIndex(({ path }) => path === current) + by))]
    if (next !== undefined) show(next.path)
  }
  useKeys({
    j: step(1),
    k: step(-1),
    x: () => tick(current),
    'Ctrl enter': () => (document.getElementById('apply') as HTMLFormElement | null)?.requestSubmit(),
  })
  return (
    <Page
      title={`Work of ${participant}`}
      crumbs={[
        { to: '/contests', title: 'Contests' },
        { to: `/contests/${id}`, title: 'Contest' },
      ]}
      about={changes.length === 0 ? undefined : <span className="soft small desk nw">{many(changes.length, 'file')} changed</span>}
      actions={
        <button className="btn" type="button" disabled={undo.isSending} onClick={() => undo.run()}>
          {undo.isSending ? 'Undoing …' : 'Undo apply'}
        </button>
      }
    >
      <div className="stack">
        {undo.problem === null ? null : <Trouble problem={undo.problem} />}
        <Pending {...review} back={{ to: '/contests', title: 'Show all contests' }} />
        {review.data === null ? null : (
          <p className="soft small any">
            Against <Foreign>{review.data.project}</Foreign> as it was when the contest was made.
          </p>
        )}
        {review.data !== null && changes.length === 0 ? (
          <Empty icon="done" title="Nothing to apply">
            <p>The project already has all of this work, or the participant changed nothing.</p>
          </Empty>
        ) : null}
        {changes.length === 0 ? null : (
          <div className="split">
            <div className="stack">
              {changes.map((change) => (
                <FileDiff key={change.path} whole={null} change={change} mostLines={mostLines} comments={[]} onComment={null} />
              ))}
            </div>
            <aside className="rail" aria-label="Apply">
              <Apply
                id={`${id} ${participant}`}
                source={ofContest(id, participant)}
                changes={changes}
                ticked={chosen}
                current={current}
                onTick={tick}
                onShow={show}
                onDone={reset}
              />
            </aside>
          </div>
        )}
      </div>
    </Page>
  )
}
