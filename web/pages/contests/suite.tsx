import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Notice, Pending } from '../../parts/notice.tsx'
import { useParameter } from '../../parts/page-address.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { visible } from '../../parts/visible.ts'
import { Page } from '../../shell/page.tsx'
import { nameOf } from './contest-name.ts'
import { ReportFrame } from './report.tsx'
import { SuiteActions } from './suite-actions.tsx'
import { SuiteComparisons } from './suite-comparisons.tsx'
import { SuiteRuns } from './suite-runs.tsx'
import { type SuiteWork, stateOf, useSuite } from './suite-status.ts'

/** One suite: its actions, the progress of its contests, and the report on those that have results. */
export function Suite() {
  const [directory] = useParameter('directory')
  const { status, work, newest, atWork } = useSuite(directory)
  const { data } = status
  const title = visible(data?.suite ?? nameOf(directory))
  const wasRun = data?.contests.some(({ state }) => state !== 'not-run') ?? false
  return (
    <Page
      title={title}
      crumbs={[{ to: '/contests', title: 'Contests' }]}
      about={
        data === null ? undefined : (
          <>
            <State of={stateOf({ ...data, atWork: atWork !== null })} pill />
            {atWork === 'command' && work !== null ? <span className="soft small desk">started by {visible(work.requestedBy)}</span> : null}
          </>
        )
      }
    >
      <div className="stack lg">
        <Pending {...status} rows={6} back={{ to: '/contests', title: 'Show all contests' }} />
        {status.isMissing || newest.data === null ? null : (
          <SuiteActions directory={directory} work={work} status={data} atWork={atWork} wasRun={wasRun} />
        )}
        {work === null ? null : <Ended work={work} />}
        {data === null ? null : <SuiteRuns directory={directory} status={data} />}
        {wasRun ? <Report directory={directory} name={title} /> : null}
        {wasRun ? <SuiteComparisons directory={directory} isAtWork={atWork !== null} /> : null}
      </div>
    </Page>
  )
}

/** How the newest command ended, if not as expected. */
function Ended({ work: { state, problem, notDone } }: { readonly work: SuiteWork }) {
  if (problem !== null) return <Notice tone={state === 'cancelled' ? 'warn' : 'bad'}>{visible(problem)}</Notice>
  if (notDone.length === 0) return null
  return (
    <Notice>
      Not all contests are done.
      {notDone.slice(0, 20).map(({ run, why }) => (
        <Foreign key={run} className="block small any">
          {`${run}: ${why}`}
        </Foreign>
      ))}
    </Notice>
  )
}

/** The report, in the same kind of frame as a contest's. Links to contest reports become text: the frame cannot reach those files. */
function Report({ directory, name }: { readonly directory: string; readonly name: string }) {
  const report = useData(['suites', directory, 'page'], async () =>
    dataOf(await api.GET('/api/v1/suites/report.html', { params: { query: { directory } }, parseAs: 'text' })),
  )
  const update = (
    <button className="btn" type="button" onClick={report.again}>
      Update report
    </button>
  )
  const shown = report.data === null ? report : { ...report, data: report.data.replaceAll('<a href="../runs/', '<a data-file="../runs/') }
  return <ReportFrame report={shown} title="Report" name={name} actions={update} />
}
