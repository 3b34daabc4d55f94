import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Pending } from '../../parts/notice.tsx'
import { useRows } from '../../parts/rows.tsx'
import { usd } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../who.ts'
import { nameOf } from './contest-name.ts'
import { Start } from './start.tsx'
import { Suites } from './suites.tsx'

/** The contests that were started over the API. */
export function Contests() {
  const may = useMay('operator')
  // Contests cause no events, because they run in separate processes.
  const contests = useData(['contests'], async () => dataOf(await api.GET('/api/v1/contests')).items, { everyMs: 5_000 })
  const rows = useRows(contests.data ?? [], 'cards wrap', { keyOf: ({ id }) => id, height: 56 })
  const list = (
    <section className="stack" aria-labelledby="contests">
      <h2 id="contests" className="sr">
        All contests
      </h2>
      <Pending {...contests} rows={4} />
      {contests.data?.length === 0 ? (
        <Empty icon="contest" title="No contest has been started yet" command="paddock contest new DIRECTORY">
          <p>A contest gives one brief to several agents, seals their work, and has others judge it blind. To create one:</p>
        </Empty>
      ) : null}
      {contests.data === null || contests.data.length === 0 ? null : (
        <div className="scroll">
          <table {...rows.table}>
            <thead>
              <tr>
                <th>State</th>
                <th>Contest</th>
                <th>Verdict</th>
                <th className="n">Cost</th>
                <th className="n">Started</th>
              </tr>
            </thead>
            <tbody>
              {rows.before}
              {rows.drawn.map(([each, place]) => (
                <tr key={each.id} {...place}>
                  <td>
                    <State of={each.state} />
                  </td>
                  <th scope="row">
                    <Link to={`/contests/${each.id}`}>
                      <Foreign>{nameOf(each.directory)}</Foreign>
                    </Link>
                    <span className="soft xs block any">
                      <Foreign>{each.directory}</Foreign>
                    </span>
                  </th>
                  <td className="wide">
                    {each.verdict === null ? (
                      <span className="soft any">
                        <Foreign>{each.problem ?? (each.state === 'done' ? 'No judge gave scores.' : '–')}</Foreign>
                      </span>
                    ) : (
                      <Foreign className="any">{each.verdict}</Foreign>
                    )}
                  </td>
                  <td className="n hide">{usd(each.costUsd)}</td>
                  <td className="soft n">
                    <Ago at={each.startedAt} />
                  </td>
                </tr>
              ))}
              {rows.after}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
  return (
    <Page title="Contests">
      {may ? (
        <div className="split">
          <div className="stack lg">
            {list}
            <Suites />
          </div>
          <Start />
        </div>
      ) : (
        list
      )}
    </Page>
  )
}
