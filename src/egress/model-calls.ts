import type { DenyReason, FailedModelCall } from './egress-summary.ts'
import { type Fields, valuesOf } from './requests/fields.ts'

/** Paths of the requests for model output, in the APIs of all vendors. */
const modelPath = /(?:\/(?:messages|responses|completions)|:(?:stream)?generateContent)$/i
/** Maximum number of failed calls kept for one cell. Older ones are dropped. */
const maxKept = 10
/** Milliseconds in which a model should start its answer. A request that ends later without an answer counts as unanswered. */
const patienceMs = 10_000
const longestResetMs = 400 * 86_400_000

/** The parts of a finished request that matter for a model API. */
export interface EndedCall {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly decision: 'allow' | 'deny'
  readonly reason?: DenyReason
  /** The reason for the refusal, in one line. */
  readonly detail?: string
  /** Status of the answer; 0 if there was no answer. */
  readonly status: number
  /** True if the host ended its answer early. */
  readonly cut?: true
  readonly resetsAt?: number
  readonly durationMs: number
}

/** A finished call of a model API. */
export interface ModelCall {
  readonly host: string
  readonly port: number
  /** Without the query, cut to 200 characters. */
  readonly path: string
  /** Status of the answer; 0 if there was no answer. */
  readonly status: number
  /** How it failed; null: it was answered, or failed because of the client. */
  readonly failure: FailedModelCall['kind'] | null
  readonly durationMs: number
  /** Milliseconds since the epoch. */
  readonly endedAt: number
}

export type OnModelCall = (call: ModelCall) => void

/** The failed calls of model APIs since the last answered one. Bounded; contains nothing from bodies, queries or headers. */
export class ModelCalls {
  readonly #onCall: OnModelCall | undefined
  #failed: FailedModelCall[] = []
  #answered = 0

  /** `onCall` is called with every call. */
  constructor(onCall?: OnModelCall) {
    this.#onCall = onCall
  }

  /** Records a request to a host that the cell has a credential for. */
  requested(request: EndedCall, now: number = Date.now()): void {
    if (!modelPath.test(request.path)) return
    const failure = failureOf(request)
    const { port, path, status, durationMs } = request
    const kind = failure === null || failure === 'answered' ? null : failure.kind
    this.#onCall?.({ host: request.host, port, path, status, failure: kind, durationMs, endedAt: now })
    if (failure === 'answered') {
      this.#answered++
      this.#failed = []
      return
    }
    if (failure === null) return
    const { host, resetsAt = null } = request
    const same = this.#failed.find((each) => each.host === host && each.kind === failure.kind && each.status === failure.status)
    this.#failed = this.#failed.filter((each) => each !== same).slice(1 - maxKept)
    this.#failed.push({ host, ...failure, resetsAt, waitedMs: durationMs, at: now, count: (same?.count ?? 0) + 1 })
  }

  /** Returns the calls so far; null if the gateway has seen no call of a model API. */
  summary(): { readonly answered: number; readonly failed: readonly FailedModelCall[] } | null {
    if (this.#answered + this.#failed.length === 0) return null
    return { answered: this.#answered, failed: this.#failed.map((each) => ({ ...each })) }
  }
}

type Failure = Pick<FailedModelCall, 'kind' | 'status' | 'why'>

/** Returns `answered` or the failure of a call. Null if a rule denied it, the client cancelled it early, or it was a bad request. */
function failureOf({ decision, reason, detail = '', status, cut, durationMs }: EndedCall): 'answered' | Failure | null {
  if (decision === 'deny') {
    if (reason === 'no-credential' || reason === 'not-renewed') return { kind: reason, status: null, why: detail }
    if (reason === 'unresolvable') return { kind: 'unresolvable', status: null }
    return reason === 'unreachable' || reason === 'bad-certificate' ? { kind: 'unreachable', status: null } : null
  }
  if (cut === true) return { kind: 'cut', status: null }
  if (status === 0) return durationMs >= patienceMs ? { kind: 'unanswered', status: null } : null
  if (status < 400) return 'answered'
  return [401, 403, 408, 429].includes(status) || status >= 500 ? { kind: 'refused', status } : null
}

/**
 * Returns the end of a rate limit according to the headers of the refusal, in milliseconds since the epoch; null if it is not given.
 * `retry-after` is RFC 9110, section 10.2.3; the others are those of Anthropic and OpenAI. A limit counts only if it is used up.
 */
export function resetOf(fields: Fields, now: number): number | null {
  const first = (name: string): string | null => valuesOf(fields, name)[0]?.trim() ?? null
  const exhausted = fields.flatMap(([name, value]) => {
    const limit = /^(?:anthropic-ratelimit-([a-z-]+)-reset|x-ratelimit-reset-([a-z-]+))$/i.exec(name)
    if (limit === null) return []
    const remaining = limit[1] === undefined ? `x-ratelimit-remaining-${limit[2]}` : `anthropic-ratelimit-${limit[1]}-remaining`
    return Number(first(remaining.toLowerCase()) ?? 1) === 0 ? [moment(value, now)] : []
  })
  const times = [
    moment(first('anthropic-ratelimit-unified-reset'), now),
    moment(first('retry-after'), now),
    ...exhausted.toSorted((a, b) => (b ?? 0) - (a ?? 0)),
  ]
  return times.find((each) => each !== null && each > now && each - now < longestResetMs) ?? null
}

/** Parses a time in a header: seconds since the epoch, seconds or `1h2m3.5s` from now, or a date. */
function moment(text: string | null, now: number): number | null {
  if (text === null || text === '' || text.length > 100) return null
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.round(Number(text) > 1e9 ? Number(text) * 1000 : now + Number(text) * 1000)
  const span = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/.exec(text)
  if (span !== null) return Math.round(now + ((Number(span[1] ?? 0) * 60 + Number(span[2] ?? 0)) * 60 + Number(span[3] ?? 0)) * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : date
}
