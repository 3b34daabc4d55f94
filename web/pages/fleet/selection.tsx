import { changed, dataOf } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { useKeys } from '../../parts/keys.ts'
import { Trouble } from '../../parts/notice.tsx'
import { say } from '../../parts/toast.tsx'
import { many } from '../../parts/words.ts'
import { api } from '../../session.ts'
import type { Doing } from './use-fleet.ts'

/** What can be done with the selected agents; nothing while none is. */
export function Selection({ agents, onClear }: { readonly agents: readonly Doing[]; readonly onClear: () => void }) {
  const act = useAct(async (what: 'start' | 'stop') => {
    try {
      for (const { id } of agents) dataOf(await api.POST(`/api/v1/agents/{agent}/${what}`, { params: { path: { agent: id } } }))
    } finally {
      changed(['agent'], ['agents'], ['fleet'])
    }
    say(`${many(agents.length, 'agent')} ${what === 'stop' ? 'stopped' : 'started'}`)
    onClear()
  })
  useKeys({ Escape: onClear }, agents.length > 0)
  if (agents.length === 0) return null
  return (
    <section className="selbar" aria-label="Selection">
      {act.problem === null ? null : <Trouble problem={act.problem} />}
      <b role="status">{many(agents.length, 'agent')} selected</b>
      <button className="btn" type="button" disabled={act.isSending} onClick={() => act.run('stop')}>
        Stop
      </button>
      <button className="btn" type="button" disabled={act.isSending} onClick={() => act.run('start')}>
        Start
      </button>
      <button className="btn plain" type="button" onClick={onClear}>
        Clear <kbd>Esc</kbd>
      </button>
    </section>
  )
}
