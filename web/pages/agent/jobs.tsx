import { dataOf, useData } from '../../data.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Pending } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { usd } from '../../parts/words.ts'
import { api } from '../../session.ts'
import { useMay } from '../../who.ts'
import { GiveWork } from '../fleet/give-work.tsx'
import { Came, Ran } from '../job/came.tsx'
import type { Agent } from './agent-data.ts'
import { useJobsOf } from './jobs-of.ts'
import { Terms } from './terms.tsx'

/** The jobs of one agent, its current work, and a box to give it work. */
export function AgentJobs({ agent }: { readonly agent: Agent }) {
  const jobs = useJobsOf(agent)
  const doing = useData(
    ['agent', agent.name, 'doing'],
    async () => dataOf(await api.GET('/api/v1/fleet', { params: { query: { agents: agent.id } } })).items[0] ?? null,
  )
  const mayGive = useMay('operator') && agent.archivedAt === null
  return (
    <div className="split">
      <div className="stack">
        {mayGive && doing.data !== null ? <GiveWork agents={[doing.data]} only={agent.name} /> : null}
        <Pending {...jobs} />
        {jobs.data?.length === 0 ? (
          <Empty icon="jobs" title="There are no jobs yet" command={`paddock job run ${agent.name} --prompt 'What should be done?'`} />
        ) : null}
        {jobs.data === null || jobs.data.length === 0 ? null : (
          <div className="scroll">
            <table className="cards">
              <thead>
                <tr>
                  <th>State</th>
                  <th>Job</th>
                  <th className="hide">Created</th>
                  <th className="n hide">Duration</th>
                  <th className="n">Cost</th>
                  <th>Result</th>
                </tr>
              </thead>
              <tbody>
                {jobs.data.map((each) => (
                  <tr key={each.id}>
                    <td>
                      <State of={each.state} />
                    </td>
                    <th scope="row" className="now">
                      <Link className="cut block" to={`/jobs/${each.id}`}>
                        <Foreign>{each.promptStart}</Foreign>
                      </Link>
                    </th>
                    <td className="hide">
                      <Ago at={each.createdAt} />
                    </td>
                    <td className="n hide">
                      <Ran job={each} />
                    </td>
                    <td className="n">{usd(each.result?.costUsd)}</td>
                    <td>
                      <Came job={each} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      <Terms agent={agent} doing={doing.data} />
    </div>
  )
}
