import type { AgentEvent } from './agent-events.ts'
import { diagnose } from './diagnosis.ts'
import { reasonLine, withoutFrames } from './reason-line.ts'

/** The facts that a parser knows when the program has ended. */
export interface SeenSoFar {
  /** True: a typed event reported the end of the run and its result. */
  readonly result: boolean
  /** True: a typed event reported why the run failed. */
  readonly failure: boolean
  /** The agent's newest text. */
  readonly text: string
}

/**
 * Returns the events after the exit. Standard error counts only if the exit code is not zero and no typed event gave the
 * reason. With `needsResult`, a program that exited successfully without a result event did not do its work.
 */
export function closing(
  seen: SeenSoFar,
  exit: { readonly code: number | null; readonly stderr: string },
  options: {
    readonly needsResult: boolean
    readonly now: number
    readonly byCode?: Readonly<Record<number, AgentEvent>>
    /** Returns the meaning of the CLI's own log lines on standard error; null if there are no such lines. */
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
  if (!failed && options.needsResult) events.push({ type: 'error', message: 'The agent ended without a result.' })
  events.push({ type: 'result', ok: !failed && !options.needsResult && !seen.failure, text: seen.text })
  return events
}

/** Explains text that does not come from the CLI's own log. If the program was killed, a limit mentioned in the text is not the reason. */
function inProse({ code, stderr }: { readonly code: number | null; readonly stderr: string }, now: number): AgentEvent {
  const told = diagnose(reasonIn(stderr), now, true)
  return code === null && told.type === 'rate-limit' ? { type: 'error', message: told.message } : told
}

function reported(event: AgentEvent): AgentEvent {
  const { type } = event
  return type === 'rate-limit' || type === 'login-needed' || type === 'error' ? { ...event, from: 'standard error' } : event
}

const telling = /error|fail|limit|quota|login|logged|auth|api.?key|denied|expired/i

/** Returns the line of standard error that is most likely the reason: the last one that names a failure, or else the last one. */
function reasonIn(stderr: string): string {
  return (withoutFrames(stderr).findLast((line) => telling.test(line) && !/^\s+at /.test(line)) ?? reasonLine(stderr))
    .trim()
    .slice(0, 1_000)
}
