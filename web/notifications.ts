import { queries } from './data.ts'
import type { Item } from './inbox.ts'
import { go } from './parts/address.ts'
import { visible } from './parts/visible.ts'

/** Whether this browser notifies; absent: it does, once it may. */
export const switchedOff = 'paddock.notifications-off'
/** The last notifications, as JSON. */
export const notified = 'paddock.notified'
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

/** A browser notifies only pages with TLS, or of its own machine. */
const isOn = (): boolean =>
  typeof Notification !== 'undefined' && Notification.permission === 'granted' && localStorage.getItem(switchedOff) === null

/** Reads the last notifications of this browser, newest first. */
export function deliveriesIn(text: string | null): readonly Delivery[] {
  try {
    return JSON.parse(text ?? '[]') as readonly Delivery[]
  } catch {
    return []
  }
}

function record(delivery: Delivery): void {
  const others = deliveriesIn(localStorage.getItem(notified)).filter(({ id }) => id !== delivery.id)
  localStorage.setItem(notified, JSON.stringify([delivery, ...others].slice(0, mostLogged)))
  dispatchEvent(new StorageEvent('storage', { key: notified }))
}

/** Notifies of what comes into the inbox while nobody looks at the page. What waited before is known. */
export function notifyOfInbox(): void {
  let known: ReadonlySet<string> | null = null
  queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey.length !== 1 || query.queryKey[0] !== 'inbox' || query.state.data === undefined) return
    const items = query.state.data as readonly Item[]
    const before = known
    known = new Set(items.map(({ id }) => id))
    const more = before === null ? [] : items.filter(({ id }) => !before.has(id))
    // Asked last: the browser takes a millisecond to say whether it may.
    if (more.length > 0 && document.visibilityState !== 'visible' && isOn()) for (const each of more) show(each)
  })
}

function show({ id, agent, text }: Item): void {
  notify({ id, title: agent === null ? 'Paddock' : `${agent} waits for you`, text, to: `/inbox/${id}` })
}

/** Shows a notification that leads to a place of the page, and records what became of it. */
export function notify({
  id,
  title,
  text,
  to,
}: {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly to: string
}): void {
  const shown = visible(text)
  const body = shown.length > longest ? `${shown.slice(0, longest - 1)}…` : shown
  const delivery = { id, text: body, at: new Date().toISOString() }
  try {
    // Several pages of one browser show one: the tag is the same.
    const notification = new Notification(title, { body, tag: `paddock ${id}` })
    notification.addEventListener('show', () => record({ ...delivery, outcome: 'shown' }))
    notification.addEventListener('error', () => record({ ...delivery, outcome: 'failed' }))
    notification.addEventListener('click', () => {
      record({ ...delivery, outcome: 'clicked' })
      window.focus()
      go(to)
      notification.close()
    })
  } catch {
    record({ ...delivery, outcome: 'failed' })
  }
}
