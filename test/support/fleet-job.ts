import { setTimeout } from 'node:timers/promises'
import type { FleetServer } from './fleet-server.ts'

/** Gives an agent a job, and returns the job when it has ended. */
export async function jobIn(fleet: Pick<FleetServer, 'api'>, agent: string, prompt: string, continues?: string) {
  const { data, error } = await fleet.api.POST('/api/v1/jobs', {
    body: { agent, labels: [], prompt, ...(continues === undefined ? {} : { continues }) },
  })
  if (data === undefined) throw new Error(JSON.stringify(error))
  return endOf(fleet, data.id)
}

/** Returns a job when it has ended. */
export async function endOf(fleet: Pick<FleetServer, 'api'>, id: string) {
  for (;;) {
    const { data } = await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })
    if (data !== undefined && data.endedAt !== null) return data
    await setTimeout(20)
  }
}
