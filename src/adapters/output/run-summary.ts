import { asksForLogin } from './diagnosis.ts'
import type { AgentEvent, TokenUsage } from './events.ts'

/** Trouble with a model API, as the agent's CLI reported it. */
export interface ApiTrouble {
  readonly kind: 'rate-limited' | 'login-needed' | 'endpoint-failed'
  readonly message: string
  readonly resetsAt: number | null
  readonly from: 'output' | 'standard error'
}

/** What a report says of one run of an agent. */
export interface RunSummary {
  /** Null if the agent reported no usage. */
  readonly usage: TokenUsage | null
  readonly costUsd: number | null
  /** The limit that ended the run, or the newest that slowed it (`final` false); null: none. */
  readonly rateLimit: { readonly message: string; readonly resetsAt: number | null; readonly final: boolean } | null
  /** Why it needs a login; null: it does not. */
  readonly loginNeeded: string | null
  /** The newest trouble with the model API that the agent reported since its model last answered; null: none. */
  readonly trouble: ApiTrouble | null
  /** How the agent ended by its own account; null: it did not say. */
  readonly ok: boolean | null
  readonly resultText: string
  /** By which the CLI continues the conversation; null: it did not say. */
  readonly conversation: string | null
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
  trouble: null,
  ok: null,
  resultText: '',
  conversation: null,
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
