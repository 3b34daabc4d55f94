import { useState } from 'react'
import { changed, dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Commands } from '../../parts/commands.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { go } from '../../parts/page-address.ts'
import { useMay } from '../../who.ts'
import type { Agent } from './agent-data.ts'

/** The actions for an agent. A viewer has no actions. */
export function Actions({ agent }: { readonly agent: Agent }) {
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
          Its jobs end{agent.queued > 0 ? ` (${agent.queued} of them are still queued)` : ''}. Its transcripts, home and workspace are
          deleted.
        </Confirm>
      ) : null}
      {asked === 'archive' ? (
        <Confirm title={`Archive ${agent.name}?`} act={`Archive ${agent.name}`} onClose={() => setAsked(null)} onAct={run('archive')}>
          Its jobs end. You can still read its history, and its name can be used again.
        </Confirm>
      ) : null}
    </>
  )
}
