import { queries } from './data.ts'
import type { Item } from './inbox.ts'
import { onEvent } from './live.ts'
import { api } from './page-session.ts'
import { go } from './parts/page-address.ts'
import { visible } from './parts/visible.ts'

/** The subjects of notifications. `key` in the local storage turns a subject off, or on if it is off by default. */
export const subjects = {
  inbox: { key: 'paddock.notifications-off', isOff: true, title: 'Questions, tool calls, logins, budgets' },
  failed: { key: 'paddock.notifications-failed-off', isOff: true, title: 'A job failed or was interrupted' },
  done: { key: 'paddock.notifications-done-on', isOff: false, title: 'A job is done' },
} as const
export type Subject = keyof typeof subjects
/** The storage key of the last notifications, as JSON. */
export const notified = 'paddock.notified'
const mostLogged = 20
const longest = 240
/** Milliseconds in which ended jobs are gathered into one notification. */
const gatherMs = 2_000

/** One notification and its outcome. */
export interface Delivery {
  readonly id: string
  readonly text: string
  /** The time in ISO 8601. */
  readonly at: string
  readonly outcome: 'shown' | 'failed' | 'clicked'
}

/** Returns whether notifications are possible. Browsers allow them only for pages with TLS or on the same machine. */
const isAllowed = (): boolean => typeof Notification !== 'undefined' && Notification.permission === 'granted'

/** Returns whether notifications for a subject are on, according to the stored value of its key. */
export const isOnBy = (subject: Subject, kept: string | null): boolean => subjects[subject].isOff === (kept === null)

const isOn = (subject: Subject): boolean => isAllowed() && isOnBy(subject, localStorage.getItem(subjects[subject].key))

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

/** Shows notifications for new inbox items while the page is not visible. Items that exist at the start are not new. */
export function notifyOfInbox(): void {
  let known: ReadonlySet<string> | null = null
  queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey.length !== 1 || query.queryKey[0] !== 'inbox' || query.state.data === undefined) return
    const items = query.state.data as readonly Item[]
    const before = known
    known = new Set(items.map(({ id }) => id))
    const more = before === null ? [] : items.filter(({ id }) => !before.has(id))
    // Check this last, because the permission check takes a millisecond.
    if (more.length > 0 && document.visibilityState !== 'visible' && isOn('inbox')) for (const each of more) show(each)
  })
}

function show({ id, agent, text }: Item): void {
  notify({ id, title: agent === null ? 'Paddock' : `${agent} is waiting for you`, text, to: `/inbox/${id}` })
}

/** Shows notifications for jobs that end while the page is not visible. Jobs that end within two seconds share one. */
export function notifyOfJobs(): void {
  const ended = new Map<string, string>()
  const flush = async (): Promise<void> => {
    const states = [...ended.values()]
    const [job = ''] = ended.keys()
    ended.clear()
    if (states.length === 1) {
      const { data } = await api.GET('/api/v1/jobs/{job}', { params: { path: { job } } })
      if (data === undefined) return
      return notify({ id: job, title: `${data.agent ?? 'A job'}: ${data.state}`, text: data.promptStart, to: `/jobs/${job}` })
    }
    const done = states.filter((each) => each === 'done').length
    const counts = [...(done === 0 ? [] : [`${done} done`]), ...(done === states.length ? [] : [`${states.length - done} failed`])]
    notify({ id: 'jobs', title: `${states.length} jobs ended`, text: counts.join(', '), to: '/jobs' })
  }
  onEvent((event) => {
    if (event === 'reset' || event.kind !== 'job.ended' || event.job === null || document.visibilityState === 'visible') return
    const state = String(event.data['state'])
    if (state === 'cancelled' || !isOn(state === 'done' ? 'done' : 'failed')) return
    if (ended.size === 0) setTimeout(() => void flush().catch(() => undefined), gatherMs)
    ended.set(event.job, state)
  })
}

/** Shows a notification that leads to a view of the page, and records its outcome. */
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
    // With the common tag, several pages of one browser show only one notification.
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
