import { useSyncExternalStore } from 'react'
import { serverEvents } from '../src/client/server-events.ts'
import { isSignedIn, send, signedIn } from './session.ts'

/** One event of the fleet. */
export interface FleetEvent {
  readonly id: number
  readonly at: string
  readonly kind: string
  /** The id of the agent. */
  readonly agent: string | null
  readonly job: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** Whether what is shown is true now. */
export interface Connection {
  readonly status: 'connecting' | 'live' | 'catching-up' | 'offline'
  /** The number of the newest event that is known. */
  readonly event: number | null
  /** Events that are missing yet. */
  readonly left: number
  /** Since when it is as it is, in milliseconds since 1970. */
  readonly since: number
}

/** Milliseconds between two tries to connect, the first and the longest. */
const [firstPause, longestPause] = [500, 10_000]
/** Milliseconds without a sign of life, of which there is one in ten seconds, after which the connection is taken for dead. */
const deadMs = 25_000

let connection: Connection = { status: 'connecting', event: null, left: 0, since: Date.now() }
const watchers = new Set<() => void>()
const listeners = new Set<(event: FleetEvent | 'reset') => void>()

function become(change: Partial<Connection>): void {
  const since = change.status === undefined || change.status === connection.status ? connection.since : Date.now()
  connection = { ...connection, ...change, since }
  for (const each of [...watchers]) each()
}

function tell(event: FleetEvent | 'reset'): void {
  for (const each of [...listeners]) each(event)
}

/** Calls the listener for each event, and with `reset` where events were missed. */
export function onEvent(listener: (event: FleetEvent | 'reset') => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (changed) => {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    () => connection,
  )
}

/** Calls the listener whenever the connection is lost: other streams over the same network are as good as dead. */
export function onLoss(listener: () => void): () => void {
  let before = connection.status
  const watcher = (): void => {
    const isLost = connection.status === 'offline' && before !== 'offline'
    before = connection.status
    if (isLost) listener()
  }
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Follows the events of the fleet for as long as the page is open; after each gap it goes on behind the last event that it has. */
export async function follow(): Promise<never> {
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    if (!isSignedIn()) await new Promise((resolve) => addEventListener(signedIn, resolve, { once: true }))
    if (await followOnce()) pause = firstPause
    become({ status: 'offline' })
    await slept(pause)
  }
}

/** Returns whether there was a connection. */
async function followOnce(): Promise<boolean> {
  const over = new AbortController()
  const lost = (): void => over.abort()
  let alive = setTimeout(lost, deadMs)
  // The browser knows before a connection does.
  addEventListener('offline', lost)
  let [wasLive, hasBegun] = [false, false]
  try {
    const headers = { accept: 'text/event-stream', ...(connection.event === null ? {} : { 'last-event-id': String(connection.event) }) }
    const response = await send(new Request('/api/v1/events', { headers, signal: over.signal }))
    if (!response.ok || response.body === null) return false
    wasLive = true
    for await (const { event, id, data } of serverEvents(response.body)) {
      clearTimeout(alive)
      alive = setTimeout(lost, deadMs)
      if (event === 'message') {
        const found = JSON.parse(data) as FleetEvent
        take(found.id)
        tell(found)
      } else if (event === 'reset' || event === 'heartbeat') {
        const { last } = JSON.parse(data) as { last: number }
        // What was shown may be older than the place where the stream begins; behind a database that was put back, numbers are smaller.
        if (event === 'reset' || !hasBegun) tell('reset')
        hasBegun = true
        become({ status: Number(id) < last ? 'catching-up' : 'live', event: Number(id), left: Math.max(0, last - Number(id)) })
      }
    }
  } catch {
    // The server is away; what is shown stays.
  } finally {
    clearTimeout(alive)
    removeEventListener('offline', lost)
  }
  return wasLive
}

function take(id: number): void {
  const left = Math.max(0, connection.left - 1)
  // One event does not concern who looks at the connection.
  if (connection.status === 'live') connection = { ...connection, event: id }
  else become({ status: left > 0 ? 'catching-up' : 'live', event: id, left })
}

/** Waits; shorter once the browser says that it has a network, or the page is looked at. */
function slept(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      removeEventListener('online', done)
      document.removeEventListener('visibilitychange', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    document.addEventListener('visibilitychange', done)
  })
}
