import { dataOf, useData } from '../data.ts'
import { useParameter } from '../parts/address.ts'
import { Link } from '../parts/link.tsx'
import { Empty, Pending } from '../parts/notice.tsx'
import { State, StateName } from '../parts/state.tsx'
import { Foreign } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'
import { usd } from '../parts/words.ts'
import { api } from '../session.ts'
import { Page } from '../shell/page.tsx'
import { Came, Ran } from './job/came.tsx'

const states = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'interrupted'] as const
type JobState = (typeof states)[number]

/** The newest jobs of the fleet. */
export function Jobs() {
  const [state, setState] = useParameter('state')
  const [agent, setAgent] = useParameter('agent')
  const query = {
    limit: 100,
    ...(states.includes(state as JobState) ? { state: state as JobState } : {}),
    ...(agent === '' ? {} : { agent }),
  }
  const jobs = useData(['jobs', state, agent], async () => dataOf(await api.GET('/api/v1/jobs', { params: { query } })).items)
  return (
    <Page title="Jobs">
      <div className="stack">
        <fieldset className="chips one" aria-label="State">
          <button className="chip" type="button" aria-pressed={state === ''} onClick={() => setState('')}>
            All
          </button>
          {states.map((each) => (
            <button
              key={each}
              className="chip"
              type="button"
              aria-pressed={state === each}
              onClick={() => setState(state === each ? '' : each)}
            >
              <StateName of={each} />
            </button>
          ))}
          {agent === '' ? null : (
            <button className="chip" type="button" aria-pressed="true" onClick={() => setAgent('')}>
              of {agent} <i className="i i-x" />
            </button>
          )}
        </fieldset>
        <Pending {...jobs} rows={8} />
        {jobs.data?.length !== 0 ? null : (
          <Empty
            icon="jobs"
            title={state === '' && agent === '' ? 'No job was given yet' : 'No job is like that'}
            command="paddock job run AGENT --prompt 'What should be done?'"
          >
            <p>A job is one piece of work for an agent. Give one on the page of the fleet, or on the machine of this server:</p>
          </Empty>
        )}
        {jobs.data === null || jobs.data.length === 0 ? null : (
          <div className="scroll">
            <table className="cards">
              <thead>
                <tr>
                  <th>State</th>
                  <th>Job</th>
                  <th>Agent</th>
                  <th className="n hide">Ran</th>
                  <th className="n">Cost</th>
                  <th>Result</th>
                  <th className="n hide">Given</th>
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
                    <td>
                      {each.agent === null ? (
                        <span className="soft">any that fits</span>
                      ) : (
                        <Link to={`/agents/${each.agent}/jobs`}>{each.agent}</Link>
                      )}
                    </td>
                    <td className="n hide">
                      <Ran job={each} />
                    </td>
                    <td className="n">{usd(each.result?.costUsd)}</td>
                    <td>
                      <Came job={each} />
                    </td>
                    <td className="n hide">
                      <Ago at={each.createdAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </Page>
  )
}
