import { type ComponentType, lazy, Suspense, useState } from 'react'
import type { components } from '../../../src/client/api.ts'
import { changed, dataOf, useData } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { go } from '../../parts/address.ts'
import { Commands } from '../../parts/commands.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Link } from '../../parts/link.tsx'
import { Pending, Trouble } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { api } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../who.ts'
import { useCounts } from './use-counts.ts'

export type Agent = components['schemas']['Agent']
interface Tab {
  readonly agent: Agent
}

const tab = <Module extends object>(load: () => Promise<Module>, name: keyof Module) =>
  lazy(async () => ({ default: (await load())[name] as ComponentType<Tab> }))
const tabs: readonly (readonly [name: string, title: string, View: ReturnType<typeof tab>])[] = [
  ['jobs', 'Jobs', tab(() => import('./jobs.tsx'), 'AgentJobs')],
  ['conversation', 'Conversation', tab(() => import('./conversation.tsx'), 'Conversation')],
  ['files', 'Files', tab(() => import('./files.tsx'), 'Files')],
  ['terminal', 'Terminal', tab(() => import('../terminal/terminals.tsx'), 'Terminals')],
  ['memory', 'Memory', tab(() => import('./memory.tsx'), 'Memory')],
  ['schedules', 'Schedules', tab(() => import('./schedules.tsx'), 'Schedules')],
  ['leases', 'Leases', tab(() => import('./leases.tsx'), 'Leases')],
  ['policy', 'Policy', tab(() => import('./policy.tsx'), 'PolicyTab')],
  ['manifest', 'Manifest', tab(() => import('./manifest.tsx'), 'ManifestTab')],
]

/** One agent: what it did, has, may, and is. */
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
        <nav className="tabs" aria-label="About this agent">
          {tabs.map(([each, title]) => (
            <Link key={each} to={`/agents/${name}/${each}`} current={each === wanted}>
              {title}
              {counts[each] === undefined || counts[each] === 0 ? null : <span className="n"> {counts[each]}</span>}
            </Link>
          ))}
        </nav>
      }
    >
      <div className="stack">
        {data?.problem == null ? null : <Trouble problem={data.problem} />}
        {(data?.refusals ?? []).map((each) => (
          <Trouble key={each.message} problem={[each.message, each.hint].filter((part) => part !== undefined).join(' ')} />
        ))}
        {data === null ? <Pending {...agent} /> : View === null ? <p>There is no such tab.</p> : null}
        {data === null || View === null ? null : (
          <Suspense fallback={null}>
            <View agent={data} />
          </Suspense>
        )}
      </div>
    </Page>
  )
}

function Actions({ agent }: { readonly agent: Agent }) {
  const mayChange = useMay('operator')
  const [asked, setAsked] = useState<'archive' | 'delete' | null>(null)
  const params = { path: { agent: agent.id } }
  const act = useAct(async (what: 'start' | 'stop' | 'archive' | 'delete') => {
    if (what === 'delete') dataOf(await api.DELETE('/api/v1/agents/{agent}', { params }))
    else dataOf(await api.POST(`/api/v1/agents/{agent}/${what}`, { params }))
    changed(['agent'], ['agents'], ['fleet'])
    if (what === 'delete' || what === 'archive') go('/fleet')
  })
  if (!mayChange) return null
  const run = (what: 'start' | 'stop' | 'archive' | 'delete') => (): void => {
    setAsked(null)
    act.run(what)
  }
  return (
    <>
      {act.problem === null ? null : (
        <span className="bad small">
          <Commands in={act.problem} />
        </span>
      )}
      {agent.archivedAt !== null ? null : agent.wanted === 'stopped' ? (
        <button className="btn" type="button" disabled={act.isSending} onClick={run('start')}>
          <i className="i i-play" />
          Start
        </button>
      ) : (
        <button className="btn" type="button" disabled={act.isSending} onClick={run('stop')}>
          <i className="i i-stop" />
          Stop
        </button>
      )}
      <details className="menu">
        <summary className="btn sq" aria-label="More">
          <i className="i i-more" />
        </summary>
        <div className="card">
          {agent.archivedAt !== null ? null : (
            <button className="btn plain" type="button" onClick={() => setAsked('archive')}>
              Archive …
            </button>
          )}
          <button className="btn plain bad" type="button" onClick={() => setAsked('delete')}>
            Delete …
          </button>
        </div>
      </details>
      {asked === 'delete' ? (
        <Confirm title={`Delete ${agent.name}?`} act={`Delete ${agent.name}`} onClose={() => setAsked(null)} onAct={run('delete')}>
          Its jobs end, {agent.queued > 0 ? `${agent.queued} of them before they began, ` : ''}and its transcripts, home and workspace are
          deleted.
        </Confirm>
      ) : null}
      {asked === 'archive' ? (
        <Confirm title={`Archive ${agent.name}?`} act={`Archive ${agent.name}`} onClose={() => setAsked(null)} onAct={run('archive')}>
          Its jobs end. What it did can still be read, and its name is free again.
        </Confirm>
      ) : null}
    </>
  )
}
