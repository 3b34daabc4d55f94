import { dataOf, useLoaded } from '../live.ts'
import { Ago, Link, Pending, State, usd } from '../parts.tsx'
import { api } from '../session.ts'

const load = async () => dataOf(await api.GET('/api/v1/jobs', { params: { query: { limit: 100 } } })).items

/** The newest jobs of the fleet. */
export function Jobs() {
  const jobs = useLoaded('jobs', load, ({ job }) => job !== null)
  if (jobs.data === null) return <Pending {...jobs} />
  if (jobs.data.length === 0) return <p className="soft">No job was given yet.</p>
  return (
    <div className="stack">
      <Pending {...jobs} />
      <div className="scroll">
        <table className="cards">
          <thead>
            <tr>
              <th>State</th>
              <th>Prompt</th>
              <th>Agent</th>
              <th className="n">Cost</th>
              <th className="n">Given</th>
            </tr>
          </thead>
          <tbody>
            {jobs.data.map((each) => (
              <tr key={each.id}>
                <td>
                  <State of={each.state} />
                </td>
                <th scope="row">
                  <Link className="cut" to={`/jobs/${each.id}`}>
                    {each.promptStart}
                  </Link>
                </th>
                <td>{each.agent ?? '–'}</td>
                <td className="n">{usd(each.result?.costUsd)}</td>
                <td className="n">
                  <Ago at={each.createdAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
