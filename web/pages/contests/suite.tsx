import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Empty, Notice, Pending } from '../../parts/notice.tsx'
import { useParameter } from '../../parts/page-address.ts'
import { useRows } from '../../parts/rows.tsx'
import { count, many } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { visible } from '../../parts/visible.ts'
import { Page } from '../../shell/page.tsx'
import { nameOf } from './contest-name.ts'
import { runWords, type SuiteStatus, stateOf, useSuiteStatus } from './suite-status.ts'

/** One suite: the progress of its contests, and the report on those that have results. */
export function Suite() {
  const [directory] = useParameter('directory')
  const status = useSuiteStatus(directory)
  const { data } = status
  const title = visible(data?.suite ?? nameOf(directory))
  const wasRun = data?.contests.some(({ state }) => state !== 'not-run') ?? false
  return (
    <Page
      title={title}
      crumbs={[{ to: '/contests', title: 'Contests' }]}
      about={data === null ? undefined : <State of={stateOf(data)} pill />}
    >
      <div className="stack lg">
        <Pending {...status} rows={6} back={{ to: '/contests', title: 'Show all contests' }} />
        {data === null ? null : <Runs status={data} />}
        {data === null || wasRun ? null : (
          <Empty icon="contest" title="This suite has not been run yet" command={`paddock suite run ${directory}`}>
            <p>A suite is run on the machine of this server:</p>
          </Empty>
        )}
        {wasRun ? <Report directory={directory} name={title} /> : null}
      </div>
    </Page>
  )
}

function Runs({ status: { contests, broken } }: { readonly status: SuiteStatus }) {
  const rows = useRows(contests, 'cards', { keyOf: ({ run }) => run })
  return (
    <section className="stack" aria-labelledby="runs">
      <h2 id="runs">Contests</h2>
      {broken.map(({ path, problem }) => (
        <Notice key={path} tone="bad">
          <Foreign>{`${path} is skipped: ${problem}`}</Foreign>
        </Notice>
      ))}
      {contests.length === 0 ? null : (
        <div className="scroll">
          <table {...rows.table}>
            <thead>
              <tr>
                <th>State</th>
                <th>Brief and repeat</th>
                <th>Remaining</th>
              </tr>
            </thead>
            <tbody>
              {rows.before}
              {rows.drawn.map(([{ run, state, open }, place]) => (
                <tr key={run} {...place}>
                  <td>
                    <State of={runWords[state]} />
                  </td>
                  <th scope="row" className="any">
                    <Foreign>{run}</Foreign>
                  </th>
                  <td className="soft">
                    {open.participants + open.judges === 0
                      ? '–'
                      : `${many(open.participants, 'participant')}, ${many(open.judges, 'judge')}`}
                  </td>
                </tr>
              ))}
              {rows.after}
            </tbody>
          </table>
        </div>
      )}
      <p className="soft small">
        {count(contests.filter(({ state }) => state === 'complete').length)} of {many(contests.length, 'contest')} complete.
      </p>
    </section>
  )
}

/** The report, in the same kind of frame as a contest's. Links to contest reports become text: the frame cannot reach those files. */
function Report({ directory, name }: { readonly directory: string; readonly name: string }) {
  const report = useData(['suites', directory, 'page'], async () =>
    dataOf(await api.GET('/api/v1/suites/report.html', { params: { query: { directory } }, parseAs: 'text' })),
  )
  return (
    <section className="stack" aria-labelledby="report">
      <h2 id="report">Report</h2>
      <Pending {...report} rows={8} />
      {report.data === null ? null : (
        <iframe
          className="report"
          sandbox="allow-scripts"
          srcDoc={report.data.replaceAll('<a href="../runs/', '<a data-file="../runs/')}
          title={`Report of ${name}`}
        />
      )}
    </section>
  )
}
