import { useEffect, useMemo, useState } from 'react'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { useKeys } from '../../parts/keys.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Notice, Pending, Trouble } from '../../parts/notice.tsx'
import { go, useParameter } from '../../parts/page-address.ts'
import { begun, many, usd } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../who.ts'
import { Ran } from '../job/came.tsx'
import { titleOf } from '../job/title.ts'
import { Apply } from './apply.tsx'
import { type Comment, FileDiff } from './file-diff.tsx'
import { loadReview, loadWhole } from './review-changes.ts'
import { ofJob } from './source.ts'
import { useTicked } from './use-ticked.ts'

/** If a review has more lines than the first number, files with more lines than the second are drawn only near the window. */
const [longReview, mostOfLong] = [2_000, 100]

/** The changes of a job in its copy of the project, to read, comment on and apply. */
export function Review({ id }: { readonly id: string }) {
  const job = useData(['job', id], async () => dataOf(await api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })))
  const review = useData(['job', id, 'changes'], () => loadReview(id), { wanted: job.data?.result?.copy != null })
  const mayApply = useMay('operator')
  const [current, setCurrent] = useParameter('file')
  const [comments, setComments] = useState<readonly Comment[]>([])
  const changes = review.data?.changes ?? []
  const isLong = useMemo(
    () => (review.data?.changes ?? []).reduce((sum, { diff = '' }) => sum + diff.split('\n').length, 0) > longReview,
    [review.data],
  )
  const { chosen, tick, reset } = useTicked(changes)
  const show = (path: string): void => {
    setCurrent(path)
    document.getElementById(`file-${path}`)?.scrollIntoView({ block: 'start' })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the files are there
  useEffect(() => {
    if (changes.length > 0 && current !== '') show(current)
  }, [changes.length > 0])
  const step = (by: number) => (): void => {
    const at = changes.findIndex(({ path }) => path === current)
    const next = changes[Math.max(0, Math.min(changes.length - 1, at + by))]
    if (next !== undefined) show(next.path)
  }
  const goOn = useAct(async () => {
    const prompt = comments.map(({ path, line, text }) => `In ${path}, line ${line}: ${text}`).join('\n\n')
    const { id: next } = dataOf(await api.POST('/api/v1/jobs/{job}/continue', { params: { path: { job: id } }, body: { prompt } }))
    go(`/jobs/${next}`)
  })
  useKeys({
    j: step(1),
    k: step(-1),
    ...(mayApply
      ? { x: () => tick(current), 'Ctrl enter': () => (document.getElementById('apply') as HTMLFormElement | null)?.requestSubmit() }
      : {}),
  })
  const { data } = job
  const hasCopy = data?.result?.copy != null
  const title = data === null ? 'Changes' : titleOf(data.prompt)
  return (
    <Page
      title={title}
      shown={<Foreign>{title}</Foreign>}
      crumbs={[{ to: `/jobs/${id}`, title: 'Job' }]}
      about={
        <>
          {data === null ? null : <State of={data.state} pill />}
          {changes.length === 0 ? null : <span className="soft small desk nw">{many(changes.length, 'file')} changed</span>}
        </>
      }
      actions={
        <>
          <Link className={comments.length === 0 ? 'btn' : 'btn desk'} to={`/jobs/${id}`}>
            Events
          </Link>
          {comments.length === 0 || !mayApply ? null : (
            <button className="btn" type="button" disabled={goOn.isSending} onClick={() => goOn.run()}>
              <i className="i i-msg" />
              Continue with {many(comments.length, 'comment')}
            </button>
          )}
        </>
      }
    >
      <div className="stack">
        {goOn.problem === null ? null : <Trouble problem={goOn.problem} />}
        {data === null ? <Pending {...job} back={{ to: '/jobs', title: 'Show all jobs' }} /> : hasCopy ? <Pending {...review} /> : null}
        {data !== null && (!hasCopy || (review.data !== null && changes.length === 0)) ? (
          <Empty icon="done" title="There is nothing to apply">
            <p>
              {hasCopy
                ? 'The copy of the project has no changes left.'
                : 'This job has no copy of a project, or it was applied or discarded.'}
            </p>
          </Empty>
        ) : null}
        {changes.length === 0 || data === null ? null : (
          <>
            {data.result === null || data.result.text === '' ? null : (
              <Notice tone={data.state === 'done' ? 'good' : 'warn'}>
                <b>
                  {begun(data.state)} after <Ran job={data} />
                  {data.result.costUsd === null ? '' : `, ${usd(data.result.costUsd)}`}.
                </b>{' '}
                “<Foreign>{data.result.text.length > 2_000 ? `${data.result.text.slice(0, 2_000)}…` : data.result.text}</Foreign>”
              </Notice>
            )}
            <div className="split">
              <div className="stack">
                {changes.map((change) => (
                  <FileDiff
                    key={change.path}
                    whole={{ key: ['job', id, 'whole', change.path], load: () => loadWhole(id, change.path) }}
                    change={change}
                    mostLines={isLong ? mostOfLong : longReview}
                    comments={comments}
                    onComment={
                      mayApply
                        ? (comment) =>
                            setComments((before) => [
                              ...before.filter((each) => each.path !== comment.path || each.line !== comment.line),
                              ...(comment.text.trim() === '' ? [] : [comment]),
                            ])
                        : null
                    }
                  />
                ))}
              </div>
              <aside className="rail" aria-label="Apply">
                {mayApply ? (
                  <Apply
                    id={id}
                    source={ofJob(id)}
                    changes={changes}
                    ticked={chosen}
                    current={current}
                    onTick={tick}
                    onShow={show}
                    onDone={reset}
                  />
                ) : (
                  <p className="soft">Only an operator or owner can apply it.</p>
                )}
              </aside>
            </div>
          </>
        )}
      </div>
    </Page>
  )
}
