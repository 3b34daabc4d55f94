import { useEffect } from 'react'
import { dataOf, type Loaded, queries, useData } from '../../data.ts'
import { onEvent } from '../../live.ts'
import { api } from '../../session.ts'
import type { Doing } from './doing.ts'

const key = ['fleet'] as const
/** Milliseconds in which changes are gathered. Agents are read at most once a second, and only those that changed. */
const gatherMs = 1_000
/** The most agents in one request. */
const most = 200
const load = async (agents?: string) =>
  dataOf(await api.GET('/api/v1/fleet', { params: { query: agents === undefined ? {} : { agents } } })).items

/** Returns the current work of every agent. Updates replace single entries; the others keep their objects, and are not redrawn. */
export function useFleet(): Loaded<readonly Doing[]> {
  const fleet = useData(key, () => load())
  useEffect(() => {
    const waiting = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = async (): Promise<void> => {
      timer = undefined
      if (document.hidden) return
      const ids = [...waiting].slice(0, most)
      for (const each of ids) waiting.delete(each)
      try {
        merge(await load(ids.join(',')), ids)
      } catch {
        // All agents are loaded again at the end of the gap.
      }
      if (waiting.size > 0) later()
    }
    const later = (): void => {
      timer ??= setTimeout(() => void flush(), gatherMs)
    }
    const stop = onEvent((event) => {
      if (event === 'reset' || event.agent === null) return
      waiting.add(event.agent)
      if (!document.hidden) later()
    })
    const onSeen = (): void => {
      if (waiting.size > 0) later()
    }
    document.addEventListener('visibilitychange', onSeen)
    return () => {
      stop()
      clearTimeout(timer)
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
