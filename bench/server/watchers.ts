import { serverEvents } from '../../src/client/server-events.ts'
import type { Figure } from '../measure.ts'
import { ask, type BenchServer } from './server.ts'

/** Tests many clients that follow the events while jobs are submitted and cancelled: each must get every event in order. */
export async function watchers(server: BenchServer, { count, jobs }: { count: number; jobs: number }): Promise<Figure[]> {
  const { asOf } = await ask<{ asOf: number }>(server, 'GET', '/jobs?limit=1')
  const control = new AbortController()
  // Each job is queued, and ends.
  const last = asOf + 2 * jobs
  let open = 0
  const follow = async (): Promise<boolean> => {
    const answer = await fetch(`${server.url}/api/v1/events?after=${asOf}`, {
      headers: { authorization: `Bearer ${server.token}`, accept: 'text/event-stream' },
      signal: control.signal,
    })
    open += 1
    let next = asOf + 1
    for await (const { event, id } of serverEvents(answer.body as ReadableStream<Uint8Array>)) {
      if (event !== 'message') continue
      if (Number(id) !== next) return false
      next += 1
      if (next > last) return true
    }
    return false
  }
  const following = Array.from({ length: count }, () => follow().catch(() => false))
  while (open < count) await new Promise((resolve) => setTimeout(resolve, 20))
  const began = performance.now()
  for (let index = 0; index < jobs; index += 1) {
    const { id } = await ask<{ id: string }>(server, 'POST', '/jobs', { agent: 'agent-0', prompt: 'x' })
    await ask(server, 'POST', `/jobs/${id}/cancel`)
  }
  const done = (await Promise.all(following)).filter(Boolean).length
  control.abort()
  return [
    {
      name: `${count} watchers of ${2 * jobs} events`,
      value: `${done} got all in order, after ${((performance.now() - began) / 1000).toFixed(1)} s`,
      bar: `${count}, nothing missing`,
      met: done === count,
    },
  ]
}
