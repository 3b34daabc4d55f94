import { changed, dataOf, useData } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Pending, Trouble } from '../../parts/notice.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { api } from '../../session.ts'
import { useMay } from '../../who.ts'
import type { Agent } from './agent-data.ts'

/** The agent's memory of its jobs; each entry can be deleted. */
export function Memory({ agent }: { readonly agent: Agent }) {
  const memory = useData(
    ['agent', agent.name, 'memory'],
    async () => dataOf(await api.GET('/api/v1/agents/{agent}/memory', { params: { path: { agent: agent.id } } })).items,
  )
  const mayForget = useMay('operator')
  const forget = useAct(async (job: string) => {
    dataOf(await api.DELETE('/api/v1/agents/{agent}/memory/{job}', { params: { path: { agent: agent.id, job } } }))
    changed(['agent', agent.name, 'memory'])
  })
  const last = agent.manifest.memory?.last
  if (memory.data === null) return <Pending {...memory} />
  return (
    <div className="stack">
      {forget.problem === null ? null : <Trouble problem={forget.problem} />}
      <p className="soft">
        {last === undefined
          ? 'Its jobs are recorded but not shown to later ones, because its manifest does not set memory.'
          : `Each job can read the newest ${last} of these in /memory.md in its cell.`}
      </p>
      {memory.data.length === 0 ? <Empty icon="later" title="This agent has no memories yet" /> : null}
      {memory.data.length === 0 ? null : (
        <div className="scroll">
          <table className="cards wrap">
            <thead>
              <tr>
                <th>When</th>
                <th>Prompt</th>
                <th>Outcome</th>
                <th>
                  <span className="sr">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {memory.data.map((each) => (
                <tr key={each.job}>
                  <td className="nw">
                    <Link to={`/jobs/${each.job}`}>
                      <Ago at={each.at} /> ago
                    </Link>
                  </td>
                  <th scope="row">
                    <Foreign>{each.prompt}</Foreign>
                  </th>
                  <td>
                    <Foreign>{each.answer === '' ? each.state : each.answer}</Foreign>
                  </td>
                  <td>
                    {mayForget ? (
                      <button className="btn" type="button" disabled={forget.isSending} onClick={() => forget.run(each.job)}>
                        Forget
                      </button>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
