import { Link } from '../../parts/link.tsx'
import { useRows } from '../../parts/rows.tsx'
import { usd } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { useMay } from '../../who.ts'
import { Came, Ran } from '../job/came.tsx'
import { Again } from './again.tsx'
import type { Job } from './use-jobs.ts'

export function JobTable({ jobs }: { readonly jobs: readonly Job[] }) {
  const rows = useRows(jobs, 'cards jobs', { keyOf: ({ id }) => id })
  const mayGive = useMay('operator')
  return (
    <div className="scroll">
      <table {...rows.table}>
        <thead>
          <tr>
            <th>State</th>
            <th>Job</th>
            <th>Agent</th>
            <th className="n hide">Duration</th>
            <th className="n">Cost</th>
            <th>Result</th>
            <th className="n hide">Created</th>
          </tr>
        </thead>
        <tbody>
          {rows.before}
          {rows.drawn.map(([each, place]) => (
            <tr key={each.id} {...place}>
              <td>
                <State of={each.state} />
              </td>
              <th scope="row" className="now">
                <Link className="cut block" to={`/jobs/${each.id}`}>
                  <Foreign>{each.promptStart}</Foreign>
                </Link>
              </th>
              <td>
                {each.agent === null ? (
                  <span className="soft">any matching agent</span>
                ) : (
                  <Link to={`/agents/${each.agent}/jobs`}>{each.agent}</Link>
                )}
              </td>
              <td className="n hide">
                <Ran job={each} />
              </td>
              <td className="n">{usd(each.result?.costUsd)}</td>
              <td className="came">
                <span className="row">
                  <Came job={each} />
                  {mayGive ? <Again job={each} /> : null}
                </span>
              </td>
              <td className="n hide">
                <Ago at={each.createdAt} />
              </td>
            </tr>
          ))}
          {rows.after}
        </tbody>
      </table>
    </div>
  )
}
