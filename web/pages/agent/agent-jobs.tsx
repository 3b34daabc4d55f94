import type { components } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Link } from '../../parts/link.tsx'
import { type Column, List } from '../../parts/list.tsx'
import { Empty } from '../../parts/notice.tsx'
import { usd } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { useMay } from '../../who.ts'
import { GiveWork } from '../fleet/give-work.tsx'
import { Came, Ran } from '../job/came.tsx'
import type { Agent } from './agent-data.ts'
import { useJobsOf } from './jobs-of.ts'
import { Terms } from './terms.tsx'

const columns: readonly Column<components['schemas']['Job']>[] = [
  { title: 'State', cell: ({ state }) => <State of={state} /> },
  {
    ...{ title: 'Job', isName: true, look: 'now' },
    cell: ({ id, promptStart }) => (
      <Link className="cut block" to={`/jobs/${id}`}>
        <Foreign>{promptStart}</Foreign>
      </Link>
    ),
  },
  { title: 'Created', look: 'hide', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { title: 'Duration', look: 'n hide', cell: (job) => <Ran job={job} /> },
  { title: 'Cost', look: 'n', cell: ({ result }) => usd(result?.costUsd) },
  { title: 'Result', cell: (job) => <Came job={job} /> },
]

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
        <List
          query={jobs}
          items={jobs.data}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <Empty icon="jobs" title="There are no jobs yet" command={`paddock job run ${agent.name} --prompt 'What should be done?'`} />
          }
        />
      </div>
      <Terms agent={agent} doing={doing.data} />
    </div>
  )
}
