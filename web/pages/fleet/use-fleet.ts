import { useEffect } from 'react'
import { dataOf, gathering, type Loaded, queries, useData } from '../../data.ts'
import { onEvent } from '../../live.ts'
import { api } from '../../page-session.ts'
import type { Doing } from './activity-text.ts'

const key = ['fleet'] as const
/** The most agents in one request. */
const most = 200
const load = async (agents?: string) =>
  dataOf(await api.GET('/api/v1/fleet', { params: { query: agents === undefined ? {} : { agents } } })).items

/**
 * Returns the current work of every agent. Only agents that changed are read again. Updates replace single entries; the others keep their
 * objects, and are not redrawn.
 */
export function useFleet(): Loaded<readonly Doing[]> {
  const fleet = useData(key, () => load())
  useEffect(() => {
    const waiting = new Set<string>()
    const flush = async (): Promise<void> => {
      if (document.hidden) return
      const ids = [...waiting].slice(0, most)
      for (const each of ids) waiting.delete(each)
      try {
        merge(await load(ids.join(',')), ids)
      } catch {
        // All agents are loaded again at the end of the gap.
      }
      if (waiting.size > 0) changes.soon()
    }
    const changes = gathering(() => void flush())
    const stop = onEvent((event) => {
      if (event === 'reset' || event.agent === null) return
      waiting.add(event.agent)
      if (!document.hidden) changes.soon()
    })
    const onSeen = (): void => {
      if (waiting.size > 0) changes.soon()
    }
    document.addEventListener('visibilitychange', onSeen)
    return () => {
      stop()
      changes.stop()
      document.removeEventListener('visibilitychange', onSeen)
    }
  }, [])
  return fleet
}

function merge(found: readonly Doing[], asked: readonly string[]): void {
  const byId = new Map(found.map((each) => [each.id, each]))
  queries.setQueryData<readonly Doing[]>(key, (before) => {
    if (before === undefined) return before
    const gone = new Set(asked.filter((id) => !byId.has(id)))
    const kept = before.filter(({ id }) => !gone.has(id)).map((each) => byId.get(each.id) ?? each)
    const known = new Set(before.map(({ id }) => id))
    return [...kept, ...found.filter(({ id }) => !known.has(id))]
  })
}
