import { changed, dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Link } from '../../parts/link.tsx'
import { List } from '../../parts/list.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { useMay } from '../../who.ts'
import type { Agent } from './agent-data.ts'

/** The agent's memory of its jobs; each entry can be deleted. */
export function Memory({ agent }: { readonly agent: Agent }) {
  const memory = useData(
    ['agent', agent.name, 'memory'],
    async () => dataOf(await api.GET('/api/v1/agents/{agent}/memory', { params: { path: { agent: agent.id } } })).items,
  )
  const mayForget = useMay('operator')
  const forget = async (job: string): Promise<void> => {
    dataOf(await api.DELETE('/api/v1/agents/{agent}/memory/{job}', { params: { path: { agent: agent.id, job } } }))
    changed(['agent', agent.name, 'memory'])
  }
  const last = agent.manifest.memory?.last
  return (
    <div className="stack">
      <p className="soft">
        {last === undefined
          ? 'Its jobs are recorded but not shown to later ones, because its manifest does not set memory.'
          : `Each job can read the newest ${last} of these in /memory.md in its cell.`}
      </p>
      <List
        query={memory}
        items={memory.data}
        keyOf={({ job }) => job}
        columns={[
          {
            title: 'When',
            look: 'nw',
            cell: ({ job, at }) => (
              <Link to={`/jobs/${job}`}>
                <Ago at={at} /> ago
              </Link>
            ),
          },
          { title: 'Prompt', isName: true, cell: ({ prompt }) => <Foreign>{prompt}</Foreign> },
          { title: 'Outcome', cell: ({ answer, state }) => <Foreign>{answer === '' ? state : answer}</Foreign> },
        ]}
        actions={mayForget ? [{ label: 'Forget', run: ({ job }) => forget(job) }] : []}
        empty={<Empty icon="later" title="This agent has no memories yet" />}
      />
    </div>
  )
}
