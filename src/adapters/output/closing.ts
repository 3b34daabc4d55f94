import { diagnose } from './diagnosis.ts'
import type { AgentEvent } from './events.ts'
import { lastLine } from './lines.ts'

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
 * The events after the exit. Standard error counts only if the exit code is not zero and no typed event told the
 * reason. A program that ended well without saying so did not do its work when `needsResult` is true.
 */
export function closing(
  seen: SeenSoFar,
  exit: { readonly code: number | null; readonly stderr: string },
  options: {
    readonly needsResult: boolean
    readonly now: number
    readonly byCode?: Readonly<Record<number, AgentEvent>>
    /** What the CLI's own log lines on standard error mean; null if there is none among them. */
    readonly logged?: (stderr: string) => AgentEvent | null
  },
): readonly AgentEvent[] {
  const events: AgentEvent[] = []
  const failed = exit.code !== 0
  if (failed && !seen.failure) {
    const known = exit.code === null ? undefined : options.byCode?.[exit.code]
    const told = exit.stderr.trim() === '' ? undefined : (options.logged?.(exit.stderr) ?? inProse(exit, options.now))
    const reason = told !== undefined && told.type !== 'error' ? told : (known ?? told)
    if (reason === told && told !== undefined) events.push(reported(told))
    else if (reason) events.push(reason)
  }
  if (seen.result) return events
  if (!failed && options.needsResult) events.push({ type: 'error', message: 'It ended without a result.' })
  events.push({ type: 'result', ok: !failed && !options.needsResult && !seen.failure, text: seen.text })
  return events
}

/** Explains a line that does not come from the CLI's own log. A killed program did not end because of a limit that such a line mentions. */
function inProse({ code, stderr }: { readonly code: number | null; readonly stderr: string }, now: number): AgentEvent {
  const told = diagnose(reasonIn(stderr), now, true)
  return code === null && told.type === 'rate-limit' ? { type: 'error', message: told.message } : told
}

function reported(event: AgentEvent): AgentEvent {
  const { type } = event
  return type === 'rate-limit' || type === 'login-needed' || type === 'error' ? { ...event, from: 'standard error' } : event
}

const telling = /error|fail|limit|quota|login|logged|auth|api.?key|denied|expired/i

/** The line of standard error that most likely says why: the last that names a failure, else the last at all. */
function reasonIn(stderr: string): string {
  const lines = stderr.slice(-65_536).split('\n')
  return (lines.findLast((line) => telling.test(line) && !/^\s+at /.test(line)) ?? lastLine(stderr)).trim().slice(0, 1_000)
}
