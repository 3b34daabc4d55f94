import type { WriteStream } from 'node:tty'
import type { ContestEvent, OfTask } from '../../contest/state/progress.ts'
import { redact } from '../../errors.ts'
import { formatDuration } from '../../quantities.ts'
import { printable } from '../../text.ts'

/** Shows what happens while a contest goes on. */
export interface ProgressView {
  readonly event: (event: ContestEvent) => void
  note(text: string): void
  /** Leaves the terminal as a plain one. Idempotent. */
  end(): void
}

interface Row {
  readonly since: number
  doing: string
}

/** Live rows for those that run where there is a terminal, plain lines elsewhere, nothing when quiet (but warnings). */
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
    if (each.type === 'warning') return line(`warning: ${each.message}`)
    if (quiet) return
    switch (each.type) {
      case 'step':
        return each.open > 0 ? line(`${each.step}: ${each.open} of ${each.total} to do`) : undefined
      case 'started':
        rows.set(keyOf(each), { since: Date.now(), doing: 'started' })
        return each.task === undefined ? line(`${each.name} started${each.attempt > 1 ? ` (attempt ${each.attempt})` : ''}`) : undefined
      case 'agent': {
        const row = rows.get(keyOf(each))
        const doing = describe(each.event)
        if (row !== undefined && doing !== null) row.doing = doing
        return
      }
      case 'ended':
        rows.delete(keyOf(each))
        // Its answers are counted.
        if (each.task !== undefined && each.outcome.kind === 'ran') return
        return line(
          `${each.name} ended after ${formatDuration(each.durationMs)}${each.outcome.kind === 'ran' ? '' : `: ${each.outcome.kind}`}${each.outcome.message === null ? '' : `, ${each.outcome.message}`}`,
        )
      case 'sealed':
        return line(
          `${each.name} sealed: ${each.files} ${each.files === 1 ? 'file' : 'files'}${each.dropped > 0 ? `, ${each.dropped} left out` : ''}${each.outcome.kind === 'delivered' ? '' : `, ${each.outcome.kind}`}`,
        )
      case 'carried':
        return line(`${each.name} keeps its work of round ${each.round}`)
      case 'checked':
        return line(`${each.name} check ${each.check}: ${each.result.replaceAll('-', ' ')}${each.why === null ? '' : ` (${each.why})`}`)
      case 'waits':
        return line(`${each.name} waits for its limit to end at ${new Date(each.until).toISOString().slice(0, 16).replace('T', ' ')} UTC`)
      case 'repair':
        return line(`judge ${each.name} is asked again: ${each.problem}`)
      case 'scored':
        return line(`judge ${each.name} ${each.task === undefined ? 'scored' : `answered: ${each.task.answered} of ${each.task.of}`}`)
      case 'reviewed':
        return line(`reviewer ${each.name} ${each.why === null ? 'wrote a review' : `wrote no review: ${each.why}`}`)
      case 'judge-failed':
        return line(`judge ${each.name} failed: ${each.message}`)
      case 'reported':
        return
    }
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
