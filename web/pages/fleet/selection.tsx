import { useState } from 'react'
import { changed, dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { problemOf, useAct } from '../../parts/act.ts'
import { useKeys } from '../../parts/keys.ts'
import { Trouble } from '../../parts/notice.tsx'
import { many } from '../../parts/shown-text.ts'
import { say } from '../../parts/toast.tsx'
import type { Doing } from './activity-text.ts'

const done = { start: 'started', stop: 'stopped' } as const

/** The actions for selected agents. An action is tried on all of them, and those that failed stay selected. */
export function Selection({ agents, onDrop }: { readonly agents: readonly Doing[]; readonly onDrop: (ids: readonly string[]) => void }) {
  const [failures, setFailures] = useState<readonly string[]>([])
  const act = useAct(async (what: keyof typeof done) => {
    setFailures([])
    const did: string[] = []
    /** The names of agents, by the error that occurred. */
    const failed = new Map<string, string[]>()
    for (const { id, name } of agents) {
      try {
        dataOf(await api.POST(`/api/v1/agents/{agent}/${what}`, { params: { path: { agent: id } } }))
        did.push(id)
      } catch (error) {
        const problem = problemOf(error as Error)
        failed.set(problem, [...(failed.get(problem) ?? []), name])
      }
    }
    changed(['agent'], ['agents'], ['fleet'])
    setFailures([...failed].map(([problem, names]) => `${names.join(', ')}: ${problem}`))
    if (did.length > 0) say(`${many(did.length, 'agent')} ${done[what]}`)
    onDrop(did)
  })
  const clear = (): void => {
    setFailures([])
    onDrop(agents.map(({ id }) => id))
  }
  const isShown = agents.length > 0 || failures.length > 0
  useKeys({ Escape: clear }, isShown)
  if (!isShown) return null
  return (
    <section className="selbar" aria-label="Selection">
      {failures.map((each) => (
        <Trouble key={each} problem={each} />
      ))}
      <b role="status">{many(agents.length, 'agent')} selected</b>
      <button className="btn" type="button" disabled={act.isSending || agents.length === 0} onClick={() => act.run('stop')}>
        Stop
      </button>
      <button className="btn" type="button" disabled={act.isSending || agents.length === 0} onClick={() => act.run('start')}>
        Start
      </button>
      <button className="btn plain" type="button" onClick={clear}>
        Clear <kbd>Esc</kbd>
      </button>
    </section>
  )
}
