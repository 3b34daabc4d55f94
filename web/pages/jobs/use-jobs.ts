import { useRef, useState } from 'react'
import type { components, operations } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'

export type Job = components['schemas']['Job']
export const states = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'interrupted'] as const
type Page = operations['listJobs']['responses']['200']['content']['application/json']
type JobState = (typeof states)[number]

/** The number of jobs in one page of the list. */
const pageSize = 100

/** Returns the newest matching jobs, and older ones page by page. All loaded jobs are reloaded when a job changes. */
export function useJobs({ state, agent, text }: { readonly state: string; readonly agent: string; readonly text: string }) {
  const filter = `${state} ${agent} ${text}`
  const [shown, setShown] = useState({ filter, pages: 1 })
  const pages = shown.filter === filter ? shown.pages : 1
  const query = {
    limit: pageSize,
    ...(states.includes(state as JobState) ? { state: state as JobState } : {}),
    ...(agent === '' ? {} : { agent }),
    ...(text === '' ? {} : { text }),
  }
  const load = async (): Promise<{ readonly items: readonly Job[]; readonly next: string | null; readonly pages: number }> => {
    const items: Job[] = []
    let next: string | null = null
    for (let n = 0; n < pages && (n === 0 || next !== null); n += 1) {
      const page: Page = dataOf(
        await api.GET('/api/v1/jobs', { params: { query: { ...query, ...(next === null ? {} : { cursor: next }) } } }),
      )
      items.push(...page.items)
      next = page.next
    }
    return { items, next, pages }
  }
  const found = useData(['jobs', state, agent, text, pages], load)
  // The previous rows stay while new ones are loaded.
  const before = useRef(found.data)
  before.current = found.data ?? before.current
  const jobs = { ...found, data: before.current }
  return {
    jobs,
    hasMore: jobs.data !== null && jobs.data.next !== null,
    isComing: found.data === null,
    more: () => setShown({ filter, pages: pages + 1 }),
  }
}
