import { diagnose } from './diagnosis.ts'
import type { AgentEvent } from './events.ts'
import { lastLine } from './output.ts'

/** What a parser knows when its program has ended. */
export interface SeenSoFar {
  /** A typed event already said that the run is over, and how. */
  readonly result: boolean
  /** A typed event already said why it failed. */
  readonly failure: boolean
  /** The newest text of the agent. */
  readonly text: string
}

/**
 * The events after the exit. Standard error counts only where the exit code is not zero and no typed event told the
 * reason. A program that ended well without saying so did not do its work when `needsResult` is true.
 */
export function closing(
  seen: SeenSoFar,
  exit: { readonly code: number | null; readonly stderr: string },
  options: { readonly needsResult: boolean; readonly now: number; readonly byCode?: Readonly<Record<number, AgentEvent>> },
): readonly AgentEvent[] {
  const events: AgentEvent[] = []
  const failed = exit.code !== 0
  if (failed && !seen.failure) {
    const known = exit.code === null ? undefined : options.byCode?.[exit.code]
    const told = exit.stderr.trim() === '' ? undefined : diagnose(reasonIn(exit.stderr), options.now, true)
    const reason = told !== undefined && told.type !== 'error' ? told : (known ?? told)
    if (reason) events.push(reason)
  }
  if (seen.result) return events
  if (!failed && options.needsResult) events.push({ type: 'error', message: 'It ended without a result.' })
  events.push({ type: 'result', ok: !failed && !options.needsResult && !seen.failure, text: seen.text })
  return events
}

const telling = /error|fail|limit|quota|login|logged|auth|api.?key|denied|expired/i

/** The line of standard error that most likely says why: the last that names a failure, else the last at all. */
function reasonIn(stderr: string): string {
  const lines = stderr.slice(-65_536).split('\n')
  return (lines.findLast((line) => telling.test(line) && !/^\s+at /.test(line)) ?? lastLine(stderr)).trim().slice(0, 1_000)
}
