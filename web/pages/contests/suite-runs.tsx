import { Link } from '../../parts/link.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useRows } from '../../parts/rows.tsx'
import { count, many, usd } from '../../parts/shown-text.ts'
import { Bar, State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { visible } from '../../parts/visible.ts'
import { contestStateOf, costOf, partsOf, type SuiteStatus, stateOf, suiteContestAddress } from './suite-status.ts'

/** The progress of a suite by brief and repeat, without scores. */
export function SuiteRuns({ directory, status: { contests, broken } }: { readonly directory: string; readonly status: SuiteStatus }) {
  const briefs = [...Map.groupBy(contests, ({ run }) => run.slice(0, run.lastIndexOf('/')))]
  const rows = useRows(briefs, 'cards wrap', { keyOf: ([brief]) => brief, height: 56 })
  const cost = costOf(contests)
  return (
    <section className="stack" aria-labelledby="runs">
      <div className="row">
        <h2 id="runs">Contests</h2>
        <span className="soft small">
          {count(contests.filter(({ state }) => state === 'complete').length)} of {many(contests.length, 'contest')} complete
          {cost === null ? '' : ` · ${usd(cost)}`}
        </span>
      </div>
      {broken.map(({ path, problem }) => (
        <Notice key={path} tone="bad">
          <Foreign>{`${path} is skipped: ${problem}`}</Foreign>
        </Notice>
      ))}
      {briefs.length === 0 ? null : (
        <div className="scroll">
          <table {...rows.table}>
            <thead>
              <tr>
                <th>State</th>
                <th>Brief</th>
                <th>Repeats</th>
                <th>Participants and judges</th>
                <th className="n">Cost</th>
              </tr>
            </thead>
            <tbody>
              {rows.before}
              {rows.drawn.map(([[brief, runs], place]) => {
                const { done, all } = partsOf(runs)
                return (
                  <tr key={brief} {...place}>
                    <td>
                      <State of={stateOf({ contests: runs, atWork: runs.some(({ atWork }) => atWork) })} />
                    </td>
                    <th scope="row" className="any">
                      <Foreign>{brief}</Foreign>
                    </th>
                    <td className="wide">
                      <span className="chips">
                        {runs.map((each) => (
                          <Repeat key={each.run} directory={directory} contest={each} />
                        ))}
                      </span>
                    </td>
                    <td className="wide">
                      <Bar used={done} of={Math.max(1, all)} label={`${done} of ${all} participants and judges`} isShare />
                      {done} of {all}
                    </td>
                    <td className="n hide">{usd(costOf(runs))}</td>
                  </tr>
                )
              })}
              {rows.after}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

/** One repeat. It links to its contest once that exists. */
function Repeat({ directory, contest }: { readonly directory: string; readonly contest: SuiteStatus['contests'][number] }) {
  const { run } = contest
  const [brief = '', repeat = ''] = run.split('/')
  const state = contestStateOf(contest)
  const content = (
    <>
      <span className="sr">{visible(brief)} </span>
      <span className="n">{repeat}</span> <State of={state} />
    </>
  )
  if (state === 'pending') return <span className="chip off">{content}</span>
  return (
    <Link className="chip" to={suiteContestAddress(directory, run)}>
      {content}
    </Link>
  )
}
