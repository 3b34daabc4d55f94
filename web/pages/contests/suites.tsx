import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Link } from '../../parts/link.tsx'
import { Pending } from '../../parts/notice.tsx'
import { many } from '../../parts/shown-text.ts'
import { Bar, State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { nameOf } from './contest-name.ts'
import { stateOf, suiteAddress, useSuiteStatus } from './suite-status.ts'

/** The suites in directories that the configuration allows. Renders nothing if there are none. */
export function Suites() {
  const suites = useData(['suites'], async () => dataOf(await api.GET('/api/v1/suites')).items, { everyMs: 30_000 })
  if (suites.problem === null && (suites.data === null || suites.data.length === 0)) return null
  return (
    <section className="stack" aria-labelledby="suites">
      <h2 id="suites">Suites</h2>
      <Pending {...suites} rows={1} />
      <div className="scroll">
        <table className="cards wrap">
          <thead>
            <tr>
              <th>State</th>
              <th>Suite</th>
              <th>Contests</th>
            </tr>
          </thead>
          <tbody>
            {(suites.data ?? []).map(({ directory, work }) => (
              <Row key={directory} directory={directory} isRunning={work?.state === 'running'} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Row({ directory, isRunning }: { readonly directory: string; readonly isRunning: boolean }) {
  const { data, problem } = useSuiteStatus(directory, isRunning)
  const done = data?.contests.filter(({ state }) => state === 'complete').length ?? 0
  const all = data?.contests.length ?? 0
  return (
    <tr>
      <td>{data === null ? <span className="soft">–</span> : <State of={stateOf({ ...data, atWork: isRunning || data.atWork })} />}</td>
      <th scope="row">
        <Link to={suiteAddress(directory)}>
          <Foreign>{nameOf(directory)}</Foreign>
        </Link>
        <span className="soft xs block any">
          <Foreign>{directory}</Foreign>
        </span>
      </th>
      <td className="wide">
        {data === null ? (
          <span className="soft any">
            <Foreign>{problem ?? '–'}</Foreign>
          </span>
        ) : (
          <>
            <Bar used={done} of={Math.max(1, all)} label={`${done} of ${all} contests`} isShare />
            {done} of {all}
            {data.broken.length === 0 ? null : <span className="bad"> · {many(data.broken.length, 'brief')} skipped</span>}
          </>
        )}
      </td>
    </tr>
  )
}
