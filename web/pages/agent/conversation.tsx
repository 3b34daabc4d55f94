import { useMemo } from 'react'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Pending } from '../../parts/notice.tsx'
import { useParameter } from '../../parts/page-address.ts'
import { clock, many, usd } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { useMay } from '../../who.ts'
import { Composer } from '../job/composer.tsx'
import { Prose } from '../job/prose.tsx'
import type { Agent } from './agent-data.ts'
import { useJobsOf } from './jobs-of.ts'

type Job = NonNullable<ReturnType<typeof useJobsOf>['data']>[number]

/** Jobs that continue each other, oldest first, with prompts and results. */
export function Conversation({ agent }: { readonly agent: Agent }) {
  const jobs = useJobsOf(agent)
  const [from, setFrom] = useParameter('from')
  const chains = useMemo(() => conversations(jobs.data ?? []), [jobs.data])
  const chain = chains.find(([first]) => first?.id === from) ?? chains[0] ?? []
  const last = chain.at(-1)
  const mayWrite = useMay('operator')
  if (jobs.data === null) return <Pending {...jobs} />
  if (last === undefined) return <Empty icon="msg" title="There is no conversation yet" />
  return (
    <div className="stack">
      {chains.length < 2 ? null : (
        <label className="row">
          <span>Conversation</span>
          <select className="w-md" value={chain[0]?.id} onChange={(event) => setFrom(event.target.value)}>
            {chains.map((each) => (
              <option key={each[0]?.id} value={each[0]?.id}>
                {clock(each[0]?.createdAt ?? '')} · {many(each.length, 'job')} · {each[0]?.promptStart.slice(0, 60)}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className="events">
        {chain.map((each) => (
          <Turn key={each.id} job={each} />
        ))}
      </div>
      {mayWrite && last.lease === null ? <Composer job={last.id} agent={agent.name} isRunning={last.endedAt === null} /> : null}
    </div>
  )
}

function Turn({ job }: { readonly job: Job }) {
  const whole = useData(['job', job.id], async () => dataOf(await api.GET('/api/v1/jobs/{job}', { params: { path: { job: job.id } } })))
  const { text = '' } = (whole.data ?? job).result ?? {}
  return (
    <>
      <div className="turn">
        <State of={job.state} />
        <Link to={`/jobs/${job.id}`}>{job.id}</Link> {clock(job.createdAt)} · {usd(job.result?.costUsd)}
      </div>
      <div className="ev you">
        <span />
        <div className="say">
          <pre className="prompt">
            <Foreign>{whole.data?.prompt ?? job.promptStart}</Foreign>
          </pre>
        </div>
      </div>
      {text === '' ? null : (
        <div className="ev">
          <span />
          <div className="say">
            <Prose text={text} />
          </div>
        </div>
      )}
    </>
  )
}

/** Returns chains of jobs that continue each other, starting with the chain that has the newest job. */
function conversations(jobs: readonly Job[]): readonly (readonly Job[])[] {
  const chains = new Map<string, Job[]>()
  const chainOf = new Map<string, string>()
  for (const each of [...jobs].sort((one, other) => one.number - other.number)) {
    const first = (each.continues === null ? undefined : chainOf.get(each.continues)) ?? each.id
    chainOf.set(each.id, first)
    chains.set(first, [...(chains.get(first) ?? []), each])
  }
  return [...chains.values()].sort((one, other) => (other.at(-1)?.number ?? 0) - (one.at(-1)?.number ?? 0))
}
