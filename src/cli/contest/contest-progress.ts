import type { WriteStream } from 'node:tty'
import { redact } from '../../base/errors.ts'
import { formatDuration } from '../../base/quantities.ts'
import { printable } from '../../base/text.ts'
import type { ContestEvent, OfTask } from '../../contest/state/progress.ts'
import { eventText } from './event-text.ts'

/** Shows the progress of a contest. */
export interface ProgressView {
  readonly event: (event: ContestEvent) => void
  note(text: string): void
  /** Restores the terminal. Idempotent. */
  end(): void
}

interface Row {
  readonly since: number
  doing: string
}

/** Returns a view with live rows on a terminal, plain lines elsewhere, and only warnings when quiet. */
export function contestProgress(out: WriteStream, quiet: boolean): ProgressView {
  const live = out.isTTY === true && !quiet
  const rows = new Map<string, Row>()
  const keyOf = ({ name, task }: { readonly name: string } & OfTask): string => (task === undefined ? name : `${name} ${task.id}`)
  let drawn = 0
  const erase = (): void => {
    if (drawn > 0) out.write(`\u001b[${drawn}A\u001b[0J`)
    drawn = 0
  }
  const draw = (): void => {
    if (!live) return
    const width = Math.max(20, out.columns ?? 80) - 1
    const lines = [...rows].map(([name, row]) =>
      `  ${name.padEnd(16)} ${formatDuration(Date.now() - row.since).padStart(9)}  ${row.doing}`.slice(0, width),
    )
    for (const line of lines) out.write(`${line}\n`)
    drawn = lines.length
  }
  const redraw = (): void => {
    erase()
    draw()
  }
  const line = (text: string): void => {
    erase()
    out.write(`paddock: ${printable(redact(text))}\n`)
    draw()
  }
  const timer = live ? setInterval(redraw, 500).unref() : null

  const event = (each: ContestEvent): void => {
    if (quiet && each.type !== 'warning') return
    if (each.type === 'started') rows.set(keyOf(each), { since: Date.now(), doing: 'started' })
    if (each.type === 'ended') rows.delete(keyOf(each))
    if (each.type === 'agent') {
      const row = rows.get(keyOf(each))
      const doing = describe(each.event)
      if (row !== undefined && doing !== null) row.doing = doing
      return
    }
    const text = eventText(each)
    if (text !== null) line(text)
  }
  return {
    event,
    note: line,
    end: () => {
      if (timer !== null) clearInterval(timer)
      erase()
      rows.clear()
    },
  }
}

function describe(event: Extract<ContestEvent, { type: 'agent' }>['event']): string | null {
  switch (event.type) {
    case 'text':
      return printable(event.text.trim().split('\n')[0] ?? '')
    case 'tool-call':
      return `uses ${printable(event.name)}`
    case 'rate-limit':
      return 'waits for a rate limit'
    default:
      return null
  }
}
