import type { ReactNode } from 'react'
import { boardNames, cardRows } from '../../../src/contest/report/shared-words.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Pending } from '../../parts/notice.tsx'
import { span, usd } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'

function useReport(id: string) {
  return useData(['contests', id, 'report'], async () =>
    dataOf(await api.GET('/api/v1/contests/{contest}/report', { params: { path: { contest: id } } })),
  )
}
type Summary = NonNullable<ReturnType<typeof useReport>['data']>
type Ranked = Summary['ranking'][number]

/** The leader, and the margin. */
export function Result({ id }: { readonly id: string }) {
  const report = useReport(id)
  const summary = report.data
  return (
    <section className="stack" aria-labelledby="result">
      <h2 id="result">Result</h2>
      <Pending {...report} rows={4} />
      {summary === null ? null : (
        <>
          <Board {...summary} />
          <OtherBoards boards={summary.boards} />
          <Judges judges={summary.judges} />
        </>
      )}
    </section>
  )
}

function Board({ ranking, notRanked, rankedBy, verdict, notes }: Summary) {
  if (ranking.length === 0) return <p>No submission was delivered.</p>
  const leaders = ranking.filter(({ rank }) => rank === 1)
  return (
    <>
      {verdict === null ? null : (
        <p className="verdict">
          <Foreign>{verdict.sentence}</Foreign>
        </p>
      )}
      {verdict !== null || leaders.length === 0 ? null : (
        <p className="verdict">
          {leaders.map(({ name }, n) => (
            <span key={name}>
              {n === 0 ? '' : n === leaders.length - 1 ? ' and ' : ', '}
              <b>
                <Foreign>{name}</Foreign>
              </b>
            </span>
          ))}{' '}
          {leaders.length === 1 ? 'leads' : 'share the lead'}
          {rankedBy === 'checks' ? ', only by the checks' : ''}.
        </p>
      )}
      <div className="scroll">
        <table className="cards">
          <thead>
            <tr>
              <th>#</th>
              <th>Participant</th>
              <th className="n">{rankedBy === 'checks' ? 'Checks passed, %' : 'Score'}</th>
              <th>
                {ranking.some((each) => each.interval !== null) ? '95% interval' : 'Range over judges'}
                <Scale />
              </th>
              <th className="n">Checks</th>
              <th className="n">Time</th>
              <th className="n">Cost</th>
            </tr>
          </thead>
          <tbody>
            {ranking.map((each) => (
              <tr key={each.name} className={each.rank === 1 ? 'first' : undefined}>
                <td className="rank hide">{ranksOf(each.rank, each.strength?.ranks)}</td>
                <th scope="row" className="any">
                  <Foreign>{each.name}</Foreign>
                  <span className="soft small block">
                    <Foreign>{[each.agent, each.model].filter((one) => one !== null).join(' · ')}</Foreign>
                  </span>
                </th>
                <td className="score n">{each.score === null ? '–' : each.score.toFixed(1)}</td>
                <td className="wide">
                  <Range {...each} />
                  {each.score === null ? null : (
                    <span className="phone">
                      <Scale />
                    </span>
                  )}
                </td>
                <td className="n" data-l="Checks">
                  {each.checks.passed}/{each.checks.counted}
                </td>
                <td className="n hide">{each.durationMs === null ? '–' : span(each.durationMs)}</td>
                <td className="n hide">{usd(each.costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {notRanked.length === 0 ? null : (
        <p>
          Not ranked:{' '}
          {notRanked.map(({ name, outcome }, n) => (
            <span key={name}>
              {n > 0 ? ', ' : ''}
              <Foreign>{name}</Foreign> ({outcome?.kind.replaceAll('-', ' ') ?? 'did not end'})
            </span>
          ))}
        </p>
      )}
      <ul className="small soft">
        {notes.map((each) => (
          <li key={each}>
            <Foreign>{each}</Foreign>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Further rankings of the same work, in addition to the main one. */
function OtherBoards({ boards }: Pick<Summary, 'boards'>) {
  if (boards.length === 0) return null
  const names = [...new Set(boards.flatMap(({ rows }) => rows.map(({ name }) => name)))]
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th>Participant</th>
            {boards.map(({ id }) => (
              <th key={id}>{boardNames[id]}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row" className="any">
                <Foreign>{name}</Foreign>
              </th>
              {boards.map(({ id, rows }) => {
                const row = rows.find((each) => each.name === name)
                return <td key={id}>{row === undefined ? '–' : `${ranksOf(row.rank, row.ranks)} (${row.score?.toFixed(1) ?? '–'})`}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** One card for each judge: whether tests or controls caught the judge, and which ones. */
function Judges({ judges }: Pick<Summary, 'judges'>) {
  if (judges.length === 0) return null
  return (
    <div className="three">
      {judges.map((each) => (
        <section key={each.name} className="card">
          <header>
            <h3 className="any">
              <Foreign>{each.name}</Foreign>
            </h3>
            <span className="soft small">
              <Foreign>{[each.agent, each.model].filter((one) => one !== null).join(' · ')}</Foreign>
            </span>
            <span className="end">
              {each.card === null ? (
                <span className="mark">{each.state}</span>
              ) : each.card.caught.length > 0 ? (
                <span className="mark bad">CAUGHT</span>
              ) : (
                <span className="mark good">NOTHING FOUND</span>
              )}
            </span>
          </header>
          {each.why === null ? null : (
            <p className="pad">
              <Foreign>{each.why}</Foreign>
            </p>
          )}
          {each.card === null ? null : (
            <dl className="kv pad">
              {cardRows(each).map(({ what, words, isCaught }) => (
                <Fact key={what} what={what}>
                  {isCaught ? <b className="bad">{words}</b> : words}
                </Fact>
              ))}
            </dl>
          )}
        </section>
      ))}
    </div>
  )
}

function Fact({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{what}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** Returns the position of a score from 0 to 100 on the shared axis, in units of the drawing. */
const x = (score: number): number => 10 + 1.8 * Math.max(0, Math.min(100, score))

function Scale() {
  return (
    <svg className="plot" viewBox="0 0 200 12" width="200" height="12" aria-hidden="true">
      {[0, 50, 100].map((each) => (
        <text key={each} x={x(each)} y="10" textAnchor="middle">
          {each}
        </text>
      ))}
    </svg>
  )
}

/** Returns the range of ranks that a submission may have. */
function ranksOf(rank: number | null, ranks: NonNullable<Ranked['strength']>['ranks'] | undefined): string {
  const { from, to } = ranks ?? { from: rank, to: rank }
  return from === null ? '–' : from === to ? `${from}` : `${from}–${to}`
}

function Range(row: Ranked) {
  const { score, spread, rank, interval } = row
  if (score === null) return <span className="soft">–</span>
  const { min, max } = interval ?? spread ?? { min: score, max: score }
  const color = rank === 1 ? 'c1' : 'c5'
  const ends = `${Math.max(0, min).toFixed(1)} to ${Math.min(100, max).toFixed(1)}`
  const label = `${score.toFixed(1)}, ${interval === null ? `from ${ends}` : `95% interval ${ends}`}`
  return (
    <svg className="plot" viewBox="0 0 200 22" width="200" height="22" role="img" aria-label={label}>
      {[0, 25, 50, 75, 100].map((each) => (
        <line key={each} x1={x(each)} x2={x(each)} y1="0" y2="22" strokeDasharray="2 3" />
      ))}
      <path className={`whisker ${color}`} d={`M${x(min)} 11H${x(max)}M${x(min)} 7v8M${x(max)} 7v8`} />
      <circle className={color} cx={x(score)} cy="11" r="4.5" />
    </svg>
  )
}
