import { setTimeout as pause } from 'node:timers/promises'
import type { AgentEvent } from '../../../adapters/output/events.ts'
import type { ApiClient } from '../../../client/client.ts'
import { serverEvents } from '../../../client/server-events.ts'
import { PaddockError } from '../../../errors.ts'
import { answered } from '../connect.ts'

/** Milliseconds for which a server that went away is waited for, and between two tries. */
const [patienceMs, pauseMs] = [60_000, 500]

/** One numbered event of a transcript. */
export type JobEvent = AgentEvent & { readonly n: number; readonly at: string }

/**
 * Yields the events of a job after a number, to its end, also if the server is replaced meanwhile: no event is left out or given twice.
 * @throws PaddockError NOT_FOUND
 */
export async function* followJob(client: ApiClient, job: string, after = 0): AsyncGenerator<JobEvent> {
  let last = after
  let lostAt: number | null = null
  for (;;) {
    try {
      const answer = await client.GET('/api/v1/jobs/{job}/events', {
        params: { path: { job }, query: { after: String(last) } },
        parseAs: 'stream',
      })
      const body = answered(answer as { data?: ReadableStream<Uint8Array> | null; error?: unknown })
      if (body === null || body === undefined) throw new TypeError('the answer has no body')
      lostAt = null
      for await (const { event, data } of serverEvents(body)) {
        if (event === 'ended') return
        if (event !== 'message') continue
        const next = JSON.parse(data) as JobEvent
        last = next.n
        yield next
      }
    } catch (error) {
      // A server that is not there yet, or a connection that broke; what the server refused it refuses again.
      if (error instanceof PaddockError && !isAbsence(error)) throw error
      lostAt ??= Date.now()
      if (Date.now() - lostAt > patienceMs) throw error
    }
    await pause(pauseMs)
  }
}

const isAbsence = ({ code, message }: PaddockError): boolean => code === 'BUSY' || code === 'CELL_FAILED' || message.startsWith('No server')
