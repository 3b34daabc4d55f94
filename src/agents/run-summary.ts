import { asksForLogin } from './diagnosis.ts'
import type { AgentEvent, TokenUsage } from './events.ts'

/** What a report says of one run of an agent. */
export interface RunSummary {
  /** Null where the agent told nothing. */
  readonly usage: TokenUsage | null
  readonly costUsd: number | null
  /** The limit that ended the run, or the newest that slowed it (`final` false); null: none. */
  readonly rateLimit: { readonly message: string; readonly resetsAt: number | null; readonly final: boolean } | null
  /** Why it needs a login; null: it does not. */
  readonly loginNeeded: string | null
  /** How the agent ended by its own account; null: it did not say. */
  readonly ok: boolean | null
  readonly resultText: string
  readonly toolCalls: number
  /** The newest 20. */
  readonly errors: readonly string[]
  readonly unknownLines: number
}

export const noSummary: RunSummary = {
  usage: null,
  costUsd: null,
  rateLimit: null,
  loginNeeded: null,
  ok: null,
  resultText: '',
  toolCalls: 0,
  errors: [],
  unknownLines: 0,
}

/**
 * The summary with one more event in it. Start with `noSummary`. A run that ended well has neither a login nor a limit to tell; an agent whose
 * model has answered since has a login.
 */
export function withEvent(summary: RunSummary, event: AgentEvent): RunSummary {
  switch (event.type) {
    case 'usage':
      return { ...summary, usage: event.usage }
    case 'cost':
      return { ...summary, costUsd: event.usd }
    case 'rate-limit': {
      const { message, resetsAt, final } = event
      return summary.rateLimit?.final && !final ? summary : { ...summary, rateLimit: { message, resetsAt, final } }
    }
    case 'login-needed':
      return { ...summary, loginNeeded: event.message }
    case 'result':
      return {
        ...summary,
        ok: event.ok,
        resultText: event.text,
        ...(event.ok ? { loginNeeded: null, rateLimit: summary.rateLimit?.final ? null : summary.rateLimit } : {}),
      }
    case 'text':
      return summary.loginNeeded === null ? summary : { ...summary, loginNeeded: null }
    case 'tool-call':
      return { ...summary, toolCalls: summary.toolCalls + 1, loginNeeded: null }
    case 'error':
      return { ...summary, errors: [...summary.errors.slice(-19), event.message] }
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
