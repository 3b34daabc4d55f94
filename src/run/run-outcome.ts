import { type EndpointCause, type EndpointFailure, endpointCause } from '../adapters/output/endpoint-cause.ts'
import type { RunSummary } from '../adapters/output/run-summary.ts'
import { redact } from '../base/errors.ts'
import { formatDuration } from '../base/quantities.ts'
import type { CellReport } from '../cell/report.ts'
import { exitText, signalMeant } from './exit-text.ts'
import type { failureKinds } from './failure-kinds.ts'

/** The outcome of a run of an agent. `ran`: its program exited without being stopped. */
export interface RunOutcome {
  readonly kind: 'ran' | (typeof failureKinds)[number]
  /** The exit code, if the program exited without being stopped. */
  readonly exitCode: number | null
  /** One sentence about the problem; null: there is no problem. */
  readonly message: string | null
  readonly hint: string | null
  /** The time at which a rate-limited agent may be used again, in milliseconds since the epoch. */
  readonly resetsAt: number | null
  /** True: a limit stopped the run while the model endpoint did not respond. */
  readonly isUnanswered?: boolean
}

/**
 * Returns the outcome of one run of an agent. The end of the cell and the exit code take precedence, then the gateway's view of the model
 * API, then typed events, but never prose: a successful run is a success, whatever limits it mentioned. An agent that reported its result
 * and then hung has finished. If the model was refusing an agent when a limit stopped it, the refusal is the cause.
 */
export function runOutcome(report: CellReport, said: RunSummary, agent: string): RunOutcome {
  const { ending } = report
  const cause = endpointCause(report.egress.models, { agent, trouble: said.trouble }, Date.parse(report.endedAt))
  switch (ending.kind) {
    case 'exited':
      if (ending.code === 0 && said.ok !== false) return outcome('ran', { exitCode: 0 })
      // A crash was not caused by a failing endpoint.
      if (ending.why !== undefined) return { ...startFailed(ending.why, null), exitCode: ending.code }
      return failedExit(ending.code, said, signalMeant(ending.code) !== null && cause?.kind === 'endpoint-failed' ? null : cause)
    case 'out-of-time': {
      const message = `it was not finished after ${seconds(report)}`
      return atLimit(outcome('out-of-time', { message }), 'its time ended', said, cause)
    }
    case 'silent': {
      const limit = report.limits.find((each) => each.limit === 'silence')?.value ?? null
      const message = `it gave no output for ${limit === null ? 'too long' : formatDuration(limit)} and was stopped`
      return atLimit(outcome('silent', { message }), 'it was stopped for its silence', said, cause)
    }
    case 'out-of-memory':
      return outcome('out-of-memory', { message: 'it needed more memory than its cell may use' })
    case 'out-of-disk':
      return outcome('out-of-disk', { message: 'it wrote more than its cell may' })
    case 'output-flood':
      return outcome('output-flood', { message: 'stopped: too much output' })
    case 'unprotected':
      return outcome('start-failed', { message: `another program removed or replaced ${ending.path} while it ran`, hint: 'Run it again' })
    case 'cancelled':
      return outcome('cancelled', { message: 'it was stopped on request' })
    case 'start-failed':
      return startFailed(ending.message, ending.hint ?? null)
  }
}

export function startFailed(message: string, hint: string | null): RunOutcome {
  return outcome('start-failed', { message, hint })
}

function failedExit(exitCode: number, said: RunSummary, cause: EndpointCause | null): RunOutcome {
  const how = `it ended with exit code ${exitText(exitCode)}`
  if (said.loginNeeded !== null && cause?.notRenewed !== true) return loginNeeded(exitCode, said.loginNeeded)
  if (said.rateLimit?.final === true) {
    const { message, resetsAt } = said.rateLimit
    return outcome('rate-limited', { exitCode, message: oneLine(message), resetsAt: resetsAt ?? cause?.resetsAt ?? null })
  }
  if (exitCode === 126 || exitCode === 127) {
    const why = said.errors.at(-1)
    return outcome('start-failed', {
      exitCode,
      message: `${how}: ${why === undefined ? `its program could not be ${exitCode === 127 ? 'found' : 'run'} in the cell` : oneLine(why)}`,
    })
  }
  const why = said.errors.at(-1) ?? (exitCode === 0 ? 'it reported that it did not succeed' : null)
  const message = why === null ? how : `${how}: ${oneLine(why)}`
  if (cause === null || cause.kind === 'unanswered') return outcome('ran', { exitCode, message })
  return ofCause(cause, { exitCode, message: why !== null && cause.text.includes(why) ? how : message })
}

/** Returns the outcome of a run that a limit ended. `stopped`: a clause about how it was stopped. */
function atLimit(reached: RunOutcome, stopped: string, said: RunSummary, cause: EndpointCause | null): RunOutcome {
  if (said.ok === true) return outcome('ran', { message: 'it had finished, but its program did not end and was stopped' })
  if (cause?.kind === 'unanswered') return { ...reached, message: `${cause.text}; ${reached.message}`, isUnanswered: true }
  if (cause !== null) return ofCause(cause, { exitCode: null, message: `it was waiting when ${stopped}` })
  // The cause already covers a refusal in typed events or the log. What remains is a line that asked for a login.
  return said.loginNeeded === null || said.trouble?.kind === 'login-needed' ? reached : loginNeeded(null, said.loginNeeded)
}

/** Returns an outcome whose message has the cause first, then its effect. */
function ofCause({ kind, text, resetsAt }: EndpointFailure, { exitCode, message }: Pick<RunOutcome, 'exitCode' | 'message'>): RunOutcome {
  const whole = `${oneLine(text)}; ${message}`
  if (kind === 'login-needed') return loginNeeded(exitCode, whole)
  return outcome(kind, { exitCode, message: whole, resetsAt })
}

function loginNeeded(exitCode: number | null, said: string): RunOutcome {
  return outcome('login-needed', { exitCode, message: oneLine(said) })
}

function outcome(kind: RunOutcome['kind'], rest: Partial<RunOutcome> = {}): RunOutcome {
  return { kind, exitCode: null, message: null, hint: null, resetsAt: null, ...rest }
}

function oneLine(text: string): string {
  const line = redact(text).replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

function seconds(report: CellReport): string {
  return `${Math.round(report.durationMs / 1000)} s`
}

/** Returns the outcome of a run that a budget ended, unless its agent had finished. `why`: a clause. */
export function outOfBudget(ended: RunOutcome, said: RunSummary, why: string): RunOutcome {
  if (ended.kind === 'ran') return ended
  return said.ok === true ? outcome('ran') : outcome('out-of-budget', { message: why })
}

export function cancelled(): RunOutcome {
  return outcome('cancelled', { message: 'it was stopped on request' })
}
