import { Suspense } from 'react'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Link } from '../../parts/link.tsx'
import { Missing, Pending, Trouble } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { Page } from '../../shell/page.tsx'
import { Actions } from './agent-actions.tsx'
import { tabs } from './tabs.ts'
import { useCounts } from './use-counts.ts'

/** One agent, with tabs for its jobs, data, policy and configuration. */
export function Agent({ name, tab: wanted = 'jobs' }: { readonly name: string; readonly tab?: string }) {
  const agent = useData(['agent', name], async () => dataOf(await api.GET('/api/v1/agents/{agent}', { params: { path: { agent: name } } })))
  const counts = useCounts(agent.data)
  const View = tabs.find(([each]) => each === wanted)?.[2] ?? null
  const { data } = agent
  return (
    <Page
      title={name}
      crumbs={[{ to: '/fleet', title: 'Fleet' }]}
      about={
        data === null ? null : (
          <>
            <State of={data.state} pill />
            <span className="soft small desk">
              {data.manifest.model === undefined ? data.manifest.agent : `${data.manifest.agent} · ${data.manifest.model}`}
            </span>
            <span className="chips desk">
              {(data.manifest.labels ?? []).map((each) => (
                <Link key={each} className="tag" to={`/fleet?label=${encodeURIComponent(each)}`}>
                  {each}
                </Link>
              ))}
            </span>
          </>
        )
      }
      actions={data === null ? undefined : <Actions agent={data} />}
      tabs={
        data === null && agent.isMissing ? undefined : (
          <nav className="tabs" aria-label="About this agent">
            {tabs.map(([each, title]) => (
              <Link key={each} to={`/agents/${name}/${each}`} current={each === wanted}>
                {title}
                {counts[each] === undefined || counts[each] === 0 ? null : <span className="n"> {counts[each]}</span>}
              </Link>
            ))}
          </nav>
        )
      }
    >
      <div className="stack">
        {data?.problem == null ? null : <Trouble problem={data.problem} />}
        {(data?.refusals ?? []).map((each) => (
          <Trouble key={each.message} problem={[each.message, each.hint].filter((part) => part !== undefined).join(' ')} />
        ))}
        {data === null ? (
          <Pending {...agent} back={{ to: '/fleet', title: 'Show the fleet' }} />
        ) : View === null ? (
          <Missing problem={`An agent has no tab "${wanted}".`} back={{ to: `/agents/${name}/jobs`, title: `Show the jobs of ${name}` }} />
        ) : null}
        {data === null || View === null ? null : (
          <Suspense fallback={null}>
            <View agent={data} />
          </Suspense>
        )}
      </div>
    </Page>
  )
}
