import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useMay } from '../../who.ts'
import type { Agent } from './agent-data.ts'

/** Returns the counts of the agent's tabs, by their names: queued jobs, schedules, leases. */
export function useCounts(agent: Agent | null): Readonly<Record<string, number>> {
  const name = agent?.name ?? ''
  const wanted = agent !== null
  const isOwner = useMay('owner')
  const schedules = useData(['schedules'], async () => dataOf(await api.GET('/api/v1/schedules')).items, { wanted })
  const leases = useData(['leases'], async () => dataOf(await api.GET('/api/v1/leases')).items, { wanted: wanted && isOwner })
  return {
    jobs: agent?.queued ?? 0,
    schedules: (schedules.data ?? []).filter((each) => each.agent === name).length,
    leases: (leases.data ?? []).filter((each) => each.agent === name && each.state === 'open').length,
  }
}
