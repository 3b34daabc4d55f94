import { queries } from './data.ts'
import type { Item } from './inbox.ts'
import { go } from './parts/address.ts'
import { visible } from './parts/text.tsx'

const wish = 'paddock.notify'
const log = 'paddock.notified'
const mostLogged = 20
const longest = 240

/** One notification, and what became of it. */
export interface Delivery {
  readonly id: string
  readonly text: string
  /** ISO 8601. */
  readonly at: string
  readonly outcome: 'shown' | 'failed' | 'clicked'
}

export type NotificationState = 'on' | 'off' | 'refused' | 'impossible'

/** `impossible`: the browser notifies only from addresses with TLS, or of its own machine. */
export function notificationState(): NotificationState {
  if (!('Notification' in globalThis) || !isSecureContext) return 'impossible'
  if (Notification.permission === 'denied') return 'refused'
  return Notification.permission === 'granted' && localStorage.getItem(wish) !== null ? 'on' : 'off'
}

export async function notificationsOn(): Promise<NotificationState> {
  if (notificationState() === 'impossible') return 'impossible'
  if ((await Notification.requestPermission()) === 'granted') localStorage.setItem(wish, 'on')
  return notificationState()
}

export function notificationsOff(): NotificationState {
  localStorage.removeItem(wish)
  return notificationState()
}

/** The last notifications of this browser, newest first. */
export function deliveries(): readonly Delivery[] {
  try {
    return JSON.parse(localStorage.getItem(log) ?? '[]') as readonly Delivery[]
  } catch {
    return []
  }
}

function record(delivery: Delivery): void {
  const others = deliveries().filter(({ id }) => id !== delivery.id)
  localStorage.setItem(log, JSON.stringify([delivery, ...others].slice(0, mostLogged)))
}

/** Notifies of what comes into the inbox while nobody looks at the page. What waited before is known. */
export function notifyOfInbox(): void {
  let known: ReadonlySet<string> | null = null
  queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== 'inbox' || query.state.data === undefined) return
    const items = query.state.data as readonly Item[]
    const before = known
    known = new Set(items.map(({ id }) => id))
    if (before === null || notificationState() !== 'on' || document.visibilityState === 'visible') return
    for (const each of items) if (!before.has(each.id)) show(each)
  })
}

function show({ id, agent, text }: Item): void {
  const shown = visible(text)
  const delivery = { id, text: shown.slice(0, longest), at: new Date().toISOString() }
  try {
    // Several pages of one browser show one: the tag is the same.
    const notification = new Notification(agent === null ? 'Paddock' : `${agent} waits for you`, {
      body: shown.length > longest ? `${shown.slice(0, longest - 1)}…` : shown,
      tag: `paddock ${id}`,
    })
    notification.addEventListener('show', () => record({ ...delivery, outcome: 'shown' }))
    notification.addEventListener('error', () => record({ ...delivery, outcome: 'failed' }))
    notification.addEventListener('click', () => {
      record({ ...delivery, outcome: 'clicked' })
      window.focus()
      go(`/inbox/${id}`)
      notification.close()
    })
  } catch {
    record({ ...delivery, outcome: 'failed' })
  }
}
