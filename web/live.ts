import { useEffect, useState, useSyncExternalStore } from 'react'
import { serverEvents } from '../src/client/server-events.ts'
import { isSignedIn, send, signedIn } from './session.ts'

/** One event of the fleet. */
export interface FleetEvent {
  readonly id: number
  readonly kind: string
  readonly agent: string | null
  readonly job: string | null
}

/** Milliseconds between two tries to connect, the first and the longest. */
const [firstPause, longestPause] = [500, 10_000]
const listeners = new Set<(event: FleetEvent | null) => void>()
/** Null: it was not connected yet. */
let isLive: boolean | null = null

function tell(event: FleetEvent | null): void {
  for (const each of [...listeners]) each(event)
}

function setLive(value: boolean): void {
  if (isLive === value) return
  isLive = value
  tell(null)
}

/** Follows the events of the fleet for as long as the page is open; after each gap, everything that is shown is loaded again. */
export async function follow(): Promise<never> {
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    if (!isSignedIn()) await new Promise((resolve) => addEventListener(signedIn, resolve, { once: true }))
    try {
      const response = await send(new Request('/api/v1/events', { headers: { accept: 'text/event-stream' } }))
      if (response.ok && response.body !== null) {
        setLive(true)
        pause = firstPause
        for await (const { event, data } of serverEvents(response.body)) if (event === 'message') tell(JSON.parse(data) as FleetEvent)
      }
    } catch {
      // The server is away; what is shown stays.
    }
    setLive(false)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

export function useIsLive(): boolean | null {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => isLive,
  )
}

/** What was loaded, what went wrong, and neither while it is loading for the first time. */
export interface Loaded<Data> {
  readonly data: Data | null
  readonly problem: string | null
}

/** Milliseconds that changes are gathered for. */
const gatherMs = 150

/** Loads, and loads again when an event concerns it. `key`: what is loaded; another one starts anew. */
export function useLoaded<Data>(key: string, load: () => Promise<Data>, concerns: (event: FleetEvent) => boolean): Loaded<Data> {
  const [loaded, setLoaded] = useState<Loaded<Data> & { readonly key: string }>({ key, data: null, problem: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what loads and concerns is told by the key
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const again = async (): Promise<void> => {
      timer = undefined
      try {
        const data = await load()
        if (!isOver) setLoaded({ key, data, problem: null })
      } catch (error) {
        if (!isOver) setLoaded((before) => ({ key, data: before.key === key ? before.data : null, problem: (error as Error).message }))
      }
    }
    const onEvent = (event: FleetEvent | null): void => {
      if (event === null ? isLive === true : concerns(event)) timer ??= setTimeout(() => void again(), gatherMs)
    }
    listeners.add(onEvent)
    void again()
    return () => {
      isOver = true
      clearTimeout(timer)
      listeners.delete(onEvent)
    }
  }, [key])
  return loaded.key === key ? loaded : { data: null, problem: null }
}

/** Returns the data of an answer, or throws what the server said. */
export function dataOf<Data>({ data, error }: { readonly data?: Data; readonly error?: unknown }): Data {
  if (data !== undefined) return data
  const { detail, title, hint } = (error ?? {}) as { detail?: string; title?: string; hint?: string }
  throw new Error([detail ?? title ?? 'The server does not answer.', hint].filter((each) => each !== undefined).join(' '))
}
