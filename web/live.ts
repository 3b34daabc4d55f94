import { useSyncExternalStore } from 'react'
import { serverEvents } from '../src/client/server-events.ts'
import { isSignedIn, send, signedIn } from './page-session.ts'

/** One event of the fleet. */
export interface FleetEvent {
  readonly id: number
  readonly at: string
  readonly kind: string
  /** The id of the agent, or null. */
  readonly agent: string | null
  readonly job: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** The connection to the server: whether the data on the page is up to date. */
export interface Connection {
  readonly status: 'connecting' | 'live' | 'catching-up' | 'offline'
  /** The number of the newest known event, or null. */
  readonly event: number | null
  /** The number of events that are still missing. */
  readonly left: number
  /** The time when the status last changed, in milliseconds since 1970. */
  readonly since: number
}

/** Milliseconds between two attempts to connect: the first pause and the longest pause. */
const [firstPause, longestPause] = [500, 10_000]
/** Milliseconds without data after which the connection counts as dead. The server sends at least a heartbeat every ten seconds. */
const deadMs = 25_000
/** Milliseconds between checks for a dead connection. A timer that each event sets again would cost more than the event. */
const checkMs = 5_000

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

/** Calls the listener for each event, and with `reset` if events were missed. Returns a function that removes the listener. */
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

/** Calls the listener whenever the connection is lost, because other streams over the same network are probably dead, too. */
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

/** Follows the events of the fleet while the page is open. After each gap, it continues after the last event. */
export async function follow(): Promise<never> {
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    if (!isSignedIn()) await new Promise((resolve) => addEventListener(signedIn, resolve, { once: true }))
    if (await followOnce()) pause = firstPause
    become({ status: 'offline' })
    await slept(pause)
  }
}

/** Follows the events once, and returns whether there was a connection. */
async function followOnce(): Promise<boolean> {
  const over = new AbortController()
  const lost = (): void => over.abort()
  let heardAt = performance.now()
  const checks = setInterval(() => {
    if (performance.now() - heardAt > deadMs) lost()
  }, checkMs)
  // The browser notices a lost network before a connection does.
  addEventListener('offline', lost)
  let [wasLive, hasBegun] = [false, false]
  try {
    const headers = { accept: 'text/event-stream', ...(connection.event === null ? {} : { 'last-event-id': String(connection.event) }) }
    const response = await send(new Request('/api/v1/events', { headers, signal: over.signal }))
    if (!response.ok || response.body === null) return false
    wasLive = true
    for await (const { event, id, data } of serverEvents(response.body)) {
      heardAt = performance.now()
      if (event === 'message') {
        const found = JSON.parse(data) as FleetEvent
        take(found.id)
        tell(found)
      } else if (event === 'reset' || event === 'heartbeat') {
        const { last } = JSON.parse(data) as { last: number }
        // The data on the page may be older than the start of the stream. After a restored backup, numbers are smaller.
        if (event === 'reset' || !hasBegun) tell('reset')
        hasBegun = true
        become({ status: Number(id) < last ? 'catching-up' : 'live', event: Number(id), left: Math.max(0, last - Number(id)) })
      }
    }
  } catch {
    // The server is unreachable; the data on the page stays.
  } finally {
    clearInterval(checks)
    removeEventListener('offline', lost)
  }
  return wasLive
}

function take(id: number): void {
  const left = Math.max(0, connection.left - 1)
  // A single event does not change what the connection indicator shows.
  if (connection.status === 'live') connection = { ...connection, event: id }
  else become({ status: left > 0 ? 'catching-up' : 'live', event: id, left })
}

/** Waits. Ends early when the browser is online again, or when the page becomes visible or hidden. */
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
