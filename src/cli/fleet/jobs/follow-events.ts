import { setTimeout as pause } from 'node:timers/promises'
import type { AgentEvent } from '../../../adapters/output/agent-events.ts'
import { PaddockError } from '../../../base/errors.ts'
import type { ApiClient } from '../../../client/api-client.ts'
import { serverEvents } from '../../../client/server-events.ts'
import { answered } from '../connect.ts'

/** Milliseconds to wait for a server that does not answer, and between two attempts. */
const [patienceMs, pauseMs] = [60_000, 500]

/** A numbered event of a transcript. */
export type JobEvent = AgentEvent & { readonly n: number; readonly at: string }

/**
 * Yields the events of a job after a given number until it ends, even if the server restarts meanwhile. No event is missed or repeated.
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
      // The server is not up yet, or the connection broke. A refusal is not retried, because the server would refuse again.
      if (error instanceof PaddockError && !isAbsence(error)) throw error
      lostAt ??= Date.now()
      if (Date.now() - lostAt > patienceMs) throw error
    }
    await pause(pauseMs)
  }
}

const isAbsence = ({ code, message }: PaddockError): boolean => code === 'BUSY' || code === 'CELL_FAILED' || message.startsWith('No server')
