import { useState } from 'react'
import { changed, dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Notice, Trouble } from '../../parts/notice.tsx'
import { Ago } from '../../parts/time.tsx'
import { useMay } from '../../who.ts'
import { SuiteConfirm, type SuiteQuestion } from './suite-confirm.tsx'
import { SuiteEstimate } from './suite-estimate.tsx'
import { type ShownSuite, type SuiteStatus, type SuiteWork, stateOf } from './suite-status.ts'

const running = { run: 'Running', rejudge: 'Rejudging', refine: 'Refining', archive: 'Archiving', compare: 'Comparing' } as const

/** The actions for a suite in its current state, with what running it may cost. */
export function SuiteActions({
  directory,
  work,
  status,
  atWork,
  wasRun,
}: {
  readonly directory: string
  readonly work: SuiteWork | null
  /** Null if suite.yaml cannot be read, or was not yet. */
  readonly status: SuiteStatus | null
  readonly atWork: ShownSuite['atWork']
  readonly wasRun: boolean
}) {
  const may = useMay('operator')
  const [asked, setAsked] = useState<SuiteQuestion | null>(null)
  const start = useAct(async () => {
    dataOf(await api.POST('/api/v1/suites', { body: { directory, only: [], retry: wasRun } }))
    changed(['suites'])
  })
  if (!may) return null
  const confirm = asked === null ? null : <SuiteConfirm directory={directory} question={asked} onClose={() => setAsked(null)} />
  if (atWork !== null)
    return work?.state === 'running' ? (
      <div className="row">
        <button className="btn" type="button" onClick={() => setAsked('cancel')}>
          Cancel …
        </button>
        <span className="soft small">
          {running[work.command]} for <Ago at={work.startedAt} />
        </span>
        {confirm}
      </div>
    ) : (
      <Notice tone="run">A command on the server's machine works on this suite.</Notice>
    )
  const ask = (question: SuiteQuestion, label: string) => (
    <button className="btn" type="button" onClick={() => setAsked(question)}>
      {label} …
    </button>
  )
  const hasJudges = status?.contests.some(({ all }) => all.judges > 0) ?? false
  // A complete suite can continue only if a part of it could not finish.
  const isWhole = status !== null && stateOf({ ...status, atWork: false }) === 'done' && (work === null || work.notDone.length === 0)
  return (
    <section className="stack" aria-label="Actions">
      {isWhole || status === null ? null : <SuiteEstimate directory={directory} status={status} />}
      <div className="row">
        {isWhole || status === null ? null : (
          <button className="btn main" type="button" disabled={start.isSending} onClick={() => start.run()}>
            {start.isSending ? 'Starting …' : wasRun ? 'Continue' : 'Start suite'}
          </button>
        )}
        {wasRun ? (
          <>
            {hasJudges ? ask('rejudge', 'Rejudge') : null}
            {ask('refine', 'Refine')}
            {ask('archive', 'Archive')}
            {ask('clean', 'Clean')}
          </>
        ) : null}
      </div>
      {start.problem === null ? null : <Trouble problem={start.problem} />}
      {confirm}
    </section>
  )
}
