import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import type { Agent } from './agent-data.ts'

/** Returns the newest jobs of an agent. */
export function useJobsOf({ id }: Pick<Agent, 'id'>) {
  return useData(
    ['jobs', 'of', id],
    async () => dataOf(await api.GET('/api/v1/jobs', { params: { query: { agent: id, limit: 100 } } })).items,
  )
}
