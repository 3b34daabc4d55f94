import type { AgentEvent, TokenUsage } from './agent-events.ts'
import { asksForLogin } from './diagnosis.ts'

/** A problem with a model API, as the agent's CLI reported it. */
export interface ApiTrouble {
  readonly kind: 'rate-limited' | 'login-needed' | 'endpoint-failed'
  readonly message: string
  readonly resetsAt: number | null
  readonly from: 'output' | 'standard error'
}

/** The part of a report that covers one run of an agent. */
export interface RunSummary {
  /** The token counts; null: the agent reported none. */
  readonly usage: TokenUsage | null
  readonly costUsd: number | null
  /** The limit that ended the run, or the newest one that slowed it (`final` is false); null: there was no limit. */
  readonly rateLimit: { readonly message: string; readonly resetsAt: number | null; readonly final: boolean } | null
  /** The reason why the agent needs a login; null: it does not. */
  readonly loginNeeded: string | null
  /** The newest problem with the model API that the agent reported since its model last answered; null: there was no problem. */
  readonly trouble: ApiTrouble | null
  /** True: the agent reported success. Null: it reported no result. */
  readonly ok: boolean | null
  readonly resultText: string
  /** The ID with which the CLI can continue the conversation; null: the CLI did not report one. */
  readonly conversation: string | null
  readonly toolCalls: number
  /** The newest errors, at most 20. */
  readonly errors: readonly string[]
  readonly unknownLines: number
}

export const noSummary: RunSummary = {
  usage: null,
  costUsd: null,
  rateLimit: null,
  loginNeeded: null,
  trouble: null,
  ok: null,
  resultText: '',
  conversation: null,
  toolCalls: 0,
  errors: [],
  unknownLines: 0,
}

/**
 * Returns the summary with one more event. Start with `noSummary`. After a run that ended well, there is no login or limit to report. An
 * agent whose model has answered since is logged in.
 */
export function withEvent(summary: RunSummary, event: AgentEvent): RunSummary {
  switch (event.type) {
    case 'usage':
      return { ...summary, usage: event.usage }
    case 'conversation':
      return { ...summary, conversation: event.id }
    case 'cost':
      return { ...summary, costUsd: event.usd }
    case 'rate-limit': {
      const { message, resetsAt, final } = event
      const rateLimit = summary.rateLimit?.final && !final ? summary.rateLimit : { message, resetsAt, final }
      return { ...summary, rateLimit, trouble: troubleOf('rate-limited', event) }
    }
    case 'login-needed':
      return { ...summary, loginNeeded: event.message, trouble: troubleOf('login-needed', event) }
    case 'result':
      return {
        ...summary,
        ok: event.ok,
        resultText: event.text,
        ...(event.ok ? { loginNeeded: null, trouble: null, rateLimit: summary.rateLimit?.final ? null : summary.rateLimit } : {}),
      }
    case 'text':
    case 'reasoning':
      return summary.loginNeeded === null && summary.trouble === null ? summary : { ...summary, loginNeeded: null, trouble: null }
    case 'tool-call':
      return { ...summary, toolCalls: summary.toolCalls + 1, loginNeeded: null, trouble: null }
    case 'error': {
      const errors = [...summary.errors.slice(-19), event.message]
      return { ...summary, errors, trouble: event.endpoint === true ? troubleOf('endpoint-failed', event) : summary.trouble }
    }
    case 'unknown':
      return {
        ...summary,
        unknownLines: summary.unknownLines + 1,
        ...(asksForLogin(event.line) ? { loginNeeded: event.line.trim() } : {}),
      }
    default:
      return summary
  }
}

function troubleOf(
  kind: ApiTrouble['kind'],
  { message, from, ...event }: Extract<AgentEvent, { type: 'rate-limit' | 'login-needed' | 'error' }>,
): ApiTrouble {
  return { kind, message, resetsAt: 'resetsAt' in event ? event.resetsAt : null, from: from ?? 'output' }
}
