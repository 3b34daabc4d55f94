import type { WriteStream } from 'node:tty'
import { redact } from '../../base/errors.ts'
import { printable } from '../../base/text.ts'
import { leftWords } from '../../contest/suite/budget-words.ts'
import type { SuiteEvent } from '../../contest/suite/suite-deps.ts'

/** Shows the progress of a suite. */
export interface SuiteView {
  readonly event: (event: SuiteEvent) => void
  note(text: string): void
  /** Restores the terminal. Idempotent. */
  end(): void
}

/** Prints a line for each contest that starts or ends, and on a terminal a line with the names that are at work. Quiet: only warnings. */
export function suiteProgress(out: WriteStream, quiet: boolean): SuiteView {
  const live = out.isTTY === true && !quiet
  const working = new Set<string>()
  let isDrawn = false
  const erase = (): void => {
    if (isDrawn) out.write('\r\u001b[2K')
    isDrawn = false
  }
  const draw = (): void => {
    if (!live || working.size === 0) return
    const text = printable(`  at work: ${[...working].join(', ')}`)
    out.write(text.slice(0, Math.max(20, out.columns ?? 80) - 1))
    isDrawn = true
  }
  const line = (text: string): void => {
    erase()
    out.write(`paddock: ${printable(redact(text))}\n`)
    draw()
  }
  const inContest = (run: string, event: Extract<SuiteEvent, { type: 'contest' }>['event']): void => {
    if (event.type === 'warning') return line(`warning: ${run}: ${event.message}`)
    if (event.type === 'waits')
      return line(
        `${run}: ${event.name} waits for its limit to end at ${new Date(event.until).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      )
    if (event.type !== 'started' && event.type !== 'ended') return
    const who = `${run} ${event.name}`
    if (event.type === 'started') working.add(who)
    else working.delete(who)
    if (event.type === 'ended' && !quiet && event.outcome.message !== null) return line(`${run}: ${event.name}: ${event.outcome.message}`)
    erase()
    draw()
  }
  const event = (each: SuiteEvent): void => {
    if (each.type === 'warning') return line(`warning: ${each.message}`)
    if (each.type === 'budget') return line(`warning: the budget has ${leftWords(each.cap)}, so nothing more is started`)
    if (each.type === 'run-failed') return line(`warning: ${each.run} could not be run: ${each.message}`)
    if (each.type === 'run-unfinished') return line(`${each.run} is not finished: ${each.message}`)
    if (each.type === 'contest') return inContest(each.run, each.event)
    if (quiet) return
    if (each.type === 'suite') return line(`${each.open} of ${each.contests} contests to run`)
    if (each.type === 'run-started') return line(`${each.run} begins`)
    return line(`${each.run} is done (${each.done} of ${each.of})${each.verdict === null ? '' : `: ${each.verdict}`}`)
  }
  return { event, note: line, end: erase }
}
