import path from 'node:path'
import * as z from 'zod'
import { type EndpointCause, type EndpointFailure, endpointCause } from '../../adapters/output/endpoint-cause.ts'
import type { RunSummary } from '../../adapters/output/run-summary.ts'
import type { CellReport } from '../../cell/report.ts'
import { redact } from '../../errors.ts'
import type { Seal } from '../seal/seal-schema.ts'
import { escapeName } from '../state/names.ts'

/** Ways in which a run did not come to its end: never the fault of the work, never shown as a bad score. */
const failureKinds = [
  'rate-limited',
  'login-needed',
  'endpoint-failed',
  'out-of-memory',
  'out-of-time',
  'silent',
  'start-failed',
  'out-of-disk',
  'output-flood',
  'cancelled',
] as const

/**
 * How a participant or judge ended. `ran`: its program ended by itself. The seal turns `ran` of a participant into
 * `delivered`, `incomplete` (a required output is missing, or there is none), `over-limit` or `leaks-a-credential`. `scores-differ`: a judge
 * has other scores in its last message than in its file.
 */
export const outcomeSchema = z.strictObject({
  kind: z.enum(['ran', 'delivered', 'incomplete', 'over-limit', 'leaks-a-credential', 'scores-differ', ...failureKinds]),
  /** Its exit code, where it ended by itself. */
  exitCode: z.int().nullable(),
  /** One sentence on what is not as it should be; null where all is. */
  message: z.string().nullable(),
  hint: z.string().nullable(),
  /** Milliseconds since the epoch from which a rate-limited agent may be asked again. */
  resetsAt: z.number().nullable(),
})
export type Outcome = z.output<typeof outcomeSchema>

export function isFailureToRun(outcome: Outcome): boolean {
  return (failureKinds as readonly string[]).includes(outcome.kind)
}

/**
 * The outcome of one run of an agent. How the cell ended and the exit code come first, then what the gateway saw of the model API, then
 * typed events, and prose never: a run that ended well is well, whatever limits it talked about on its way. An agent that reported its result
 * and then hung has finished. One that was stopped by a limit while its model refused it has that refusal for its cause.
 */
export function outcomeOf(report: CellReport, said: RunSummary, agent: string): Outcome {
  const { ending } = report
  const cause = endpointCause(report.egress.models, { agent, trouble: said.trouble }, Date.parse(report.endedAt))
  switch (ending.kind) {
    case 'exited':
      if (ending.code === 0 && said.ok !== false) return outcome('ran', { exitCode: 0 })
      return failedExit(ending.code, `it ended with exit code ${ending.code}`, said, cause)
    case 'signalled':
      return failedExit(ending.code, `it was ended by ${ending.signal}`, said, cause?.kind === 'endpoint-failed' ? null : cause)
    case 'out-of-time': {
      const message = `it was not done after ${seconds(report)}`
      return atLimit(outcome('out-of-time', { message, hint: 'give it more with limits.wall' }), 'its time ended', said, cause)
    }
    case 'silent': {
      const message = 'it gave no output for too long and was stopped'
      return atLimit(
        outcome('silent', { message, hint: 'give it more with limits.silence' }),
        'it was stopped for its silence',
        said,
        cause,
      )
    }
    case 'out-of-memory':
      return outcome('out-of-memory', { message: 'it needed more memory than its cell may use', hint: 'give it more with limits.memory' })
    case 'out-of-disk':
      return outcome('out-of-disk', { message: 'it wrote more than its cell may', hint: 'give it more with limits.disk' })
    case 'output-flood':
      return outcome('output-flood', { message: 'it printed more than anybody can read and was stopped' })
    case 'unprotected':
      return outcome('start-failed', { message: `another program removed or replaced ${ending.path} while it ran`, hint: 'run it again' })
    case 'cancelled':
      return outcome('cancelled', { message: 'it was stopped on request' })
    case 'start-failed':
      return startFailed(ending.message, ending.hint ?? null)
  }
}

export function startFailed(message: string, hint: string | null): Outcome {
  // A contest has no --allow-degraded.
  const inContest = hint?.replace('give it up for this run with --allow-degraded memory', 'leave memory out of limits in contest.yaml')
  return outcome('start-failed', { message, hint: inContest ?? null })
}

function failedExit(exitCode: number, how: string, said: RunSummary, cause: EndpointCause | null): Outcome {
  if (said.loginNeeded !== null && cause?.notRenewed !== true) return loginNeeded(exitCode, said.loginNeeded)
  if (said.rateLimit?.final === true) {
    const { message, resetsAt } = said.rateLimit
    return outcome('rate-limited', { exitCode, message: oneLine(message), resetsAt: resetsAt ?? cause?.resetsAt ?? null, hint: again })
  }
  if (exitCode === 126 || exitCode === 127) {
    return outcome('start-failed', {
      exitCode,
      message: `${how}: its program could not be ${exitCode === 127 ? 'found' : 'run'} in the cell`,
    })
  }
  const why = said.errors.at(-1) ?? (exitCode === 0 ? 'it said itself that it did not succeed' : null)
  const message = why === null ? how : `${how}: ${oneLine(why)}`
  if (cause === null || cause.kind === 'unanswered') return outcome('ran', { exitCode, message })
  return ofCause(cause, { exitCode, message: why !== null && cause.text.includes(why) ? how : message })
}

/** A run that a limit ended. `stopped`: half a sentence that says how. */
function atLimit(reached: Outcome, stopped: string, said: RunSummary, cause: EndpointCause | null): Outcome {
  if (said.ok === true) return outcome('ran', { message: 'it had finished, but its program did not end and was stopped' })
  if (cause?.kind === 'unanswered') return { ...reached, message: `${cause.text}; ${reached.message}` }
  if (cause !== null) return ofCause(cause, { exitCode: null, message: `it was waiting when ${stopped}` })
  // A refusal that its typed events or its log reported is in the cause; what is left is a line that asked for a login.
  return said.loginNeeded === null || said.trouble?.kind === 'login-needed' ? reached : loginNeeded(null, said.loginNeeded)
}

/** The cause first, then what came of it. */
function ofCause({ kind, text, resetsAt }: EndpointFailure, { exitCode, message }: Pick<Outcome, 'exitCode' | 'message'>): Outcome {
  const whole = `${oneLine(text)}; ${message}`
  if (kind === 'login-needed') return loginNeeded(exitCode, whole)
  return outcome(kind, { exitCode, message: whole, resetsAt, hint: again })
}

const again = 'run again later with --retry'

function loginNeeded(exitCode: number | null, said: string): Outcome {
  const hint = 'log in with its own program, then run again with --retry; paddock credentials check says more'
  return outcome('login-needed', { exitCode, message: oneLine(said), hint })
}

function outcome(kind: Outcome['kind'], rest: Partial<Outcome> = {}): Outcome {
  return { kind, exitCode: null, message: null, hint: null, resetsAt: null, ...rest }
}

function oneLine(text: string): string {
  const line = redact(text).replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

function seconds(report: CellReport): string {
  return `${Math.round(report.durationMs / 1000)} s`
}

export function cancelled(): Outcome {
  return outcome('cancelled', { message: 'it was stopped on request' })
}

/** What the seal says of a run: delivered, or which part is missing. A run that ended with an error stays one that delivered, and says so. */
export function outcomeOfSeal(ran: Outcome, seal: Seal, required: readonly string[]): Outcome {
  if (seal.state === 'over-limit') return { ...ran, kind: 'over-limit', message: `its submission was not taken over: ${seal.message}` }
  if (seal.state === 'leaks')
    return {
      ...ran,
      kind: 'leaks-a-credential',
      message: `its submission was not taken over: ${seal.message}`,
      hint: 'its attempt still holds it; replace the credential if anybody else may have seen that',
    }
  const missing = required.filter(
    (pattern) => !seal.files.some((file) => file.path === pattern || path.posix.matchesGlob(file.path, pattern)),
  )
  const why =
    seal.files.length === 0
      ? 'it left no file in /contest/out'
      : missing.length > 0
        ? `required outputs are missing: ${missing.map(escapeName).join(', ')}`
        : null
  if (why === null) return { ...ran, kind: 'delivered' }
  return { ...ran, kind: 'incomplete', message: ran.message === null ? why : `${why}; ${ran.message}` }
}
