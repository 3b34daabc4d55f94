import { useEffect, useReducer, useRef } from 'react'
import { serverEventBlocks } from '../../../src/client/server-events.ts'
import { onEvent, onLoss } from '../../live.ts'
import { send } from '../../page-session.ts'
import { type Line, Rows } from './event-rows.ts'

export interface Transcript {
  readonly rows: Rows
  /** A number that increases with each change of the rows. */
  readonly version: number
  /** The number of existing events that are not loaded yet. */
  readonly left: number
  readonly hasEnded: boolean
}

/** The most events processed before the page may draw. */
const mostAtOnce = 1_000

/** Follows a transcript to its end. After a gap, it continues after the last line. Draws at most once per frame. */
export function useTranscript(job: string): Transcript {
  const state = useRef({ job: '', rows: new Rows(), version: 0, last: 0, after: 0, hasEnded: false })
  const [, draw] = useReducer((n: number) => n + 1, 0)
  useEffect(() => {
    const over = new AbortController()
    const now = { job, rows: new Rows(), version: 0, last: 0, after: 0, hasEnded: false }
    state.current = now
    let frame = 0
    const changed = (): void => {
      now.version += 1
      if (frame === 0)
        frame = requestAnimationFrame(() => {
          frame = 0
          draw()
        })
    }
    let stream = new AbortController()
    const stop = onLoss(() => stream.abort())
    const read = async (): Promise<void> => {
      stream = new AbortController()
      const signal = AbortSignal.any([over.signal, stream.signal])
      const response = await send(new Request(`/api/v1/jobs/${job}/events?after=${now.after}`, { signal }))
      if (!response.ok || response.body === null) throw new Error('no transcript')
      for await (const events of serverEventBlocks(response.body)) {
        let taken = 0
        for (const { event, data } of events) {
          if (event === 'message') {
            const line = JSON.parse(data) as Line
            now.after = line.n
            now.rows.take(line)
            taken += 1
            if (taken % mostAtOnce === 0) await new Promise((resolve) => setTimeout(resolve))
          } else if (event === 'heartbeat') now.last = (JSON.parse(data) as { last: number }).last
          else if (event === 'ended') now.hasEnded = true
        }
        changed()
      }
    }
    const readAll = async (): Promise<void> => {
      while (!over.signal.aborted && !now.hasEnded) {
        await read().catch(() => undefined)
        if (!now.hasEnded && !over.signal.aborted) await pause(over.signal)
      }
    }
    draw()
    void readAll()
    return () => {
      over.abort()
      stop()
      cancelAnimationFrame(frame)
    }
  }, [job])
  const { rows, version, last, after, hasEnded } =
    state.current.job === job ? state.current : { rows: new Rows(), version: 0, last: 0, after: 0, hasEnded: false }
  return { rows, version, left: Math.max(0, last - after), hasEnded }
}

/** Waits for a second, or until the connection is back. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, 1_000)
    const stop = onEvent((event) => {
      if (event === 'reset') done()
    })
    signal.addEventListener('abort', done, { once: true })
  })
}
