import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { codeOf, messageOf } from '../../base/errors.ts'
import { BadAnswer } from './bounded-fetch.ts'
import type { Endpoint } from './endpoints.ts'
import { otherForm, wholeAnswer } from './whole-answer.ts'

/** An error for a call that no endpoint answered, with the failures of all endpoints. */
export class Unanswered extends Error {
  readonly kind: 'rate-limited' | 'login-needed' | 'endpoint-failed'
  /** The time at which the rate limit resets, in milliseconds since the epoch, or null. */
  readonly resetsAt: number | null

  constructor(failures: readonly Failure[]) {
    super(failures.map((each) => each.message).join('; '))
    const last = failures.at(-1)
    this.kind = failures.some((each) => each.kind === 'rate-limited') ? 'rate-limited' : (last?.kind ?? 'endpoint-failed')
    const resets = failures.flatMap(({ resetsAt }) => (resetsAt === null ? [] : [resetsAt]))
    this.resetsAt = resets.length === 0 ? null : Math.min(...resets)
  }
}

interface Failure {
  readonly kind: Unanswered['kind']
  readonly message: string
  readonly resetsAt: number | null
  /** Whether another endpoint may succeed. */
  readonly isPassing: boolean
}

export interface AnsweringHooks {
  /** Called before each call; throws to prevent it. */
  beforeCall(): void
  /** Called with a complete answer before any of its tools is called: with the endpoint, and the failures of the earlier ones. */
  answered(endpoint: string, failures: readonly string[], parts: readonly LanguageModelV4StreamPart[]): Promise<void>
}

/**
 * Returns one model backed by several endpoints: each call is answered by the first endpoint that can. Only a complete answer counts; one
 * is cut off is requested again from the next endpoint.
 */
export function answeringModel(endpoints: readonly Endpoint[], { beforeCall, answered }: AnsweringHooks): LanguageModelV4 {
  const doStream = async (options: LanguageModelV4CallOptions) => {
    beforeCall()
    const failures: Failure[] = []
    for (const { name, model } of endpoints) {
      const answer = await wholeAnswer(model, options).catch((error: unknown) => {
        options.abortSignal?.throwIfAborted()
        return failureOf(error, name)
      })
      if (!('isPassing' in answer)) {
        await answered(
          name,
          failures.map(({ message }) => message),
          answer,
        )
        return { stream: ReadableStream.from(answer) }
      }
      failures.push(answer)
      if (!answer.isPassing) break
    }
    throw new Unanswered(failures)
  }
  const [first] = endpoints
  return {
    specificationVersion: 'v4',
    provider: first?.model.provider ?? '',
    modelId: first?.model.modelId ?? '',
    // URLs are neither passed on by reference nor fetched: prompts and answers are text.
    supportedUrls: {},
    doStream,
    doGenerate: () => Promise.reject(new Error('answers are streamed')),
  }
}

function failureOf(error: unknown, name: string): Failure {
  if (!APICallError.isInstance(error) || error.statusCode === undefined || error.statusCode < 400)
    return { kind: 'endpoint-failed', message: `${name}: ${reasonOf(error)}`, resetsAt: null, isPassing: true }
  const { statusCode: status, responseHeaders } = error
  const message = `${name} answered ${status}`
  if (status === 429) return { kind: 'rate-limited', message, resetsAt: resetOf(responseHeaders?.['retry-after']), isPassing: true }
  if (status === 401 || status === 403) return { kind: 'login-needed', message, resetsAt: null, isPassing: false }
  return { kind: 'endpoint-failed', message, resetsAt: null, isPassing: status >= 500 || status === 408 }
}

/** Parses `Retry-After` (RFC 9110 §10.2.3): seconds, or a date. */
function resetOf(header: string | undefined): number | null {
  if (header === undefined) return null
  const at = /^\d{1,8}$/.test(header) ? Date.now() + Number(header) * 1_000 : Date.parse(header)
  return Number.isNaN(at) ? null : at
}

/** Returns the reason without any text of the endpoint, because the manifest's author chose the endpoint. Network errors are included. */
function reasonOf(error: unknown): string {
  const isBegun = APICallError.isInstance(error) && error.statusCode !== undefined
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    const code = codeOf(at)
    if (at instanceof BadAnswer) return at.message
    // With a status, the answer had already begun.
    if (typeof code === 'string' && isBegun) return 'it closed the connection during its answer'
    if (typeof code === 'string') return at.message === '' ? code : messageOf(at).replace(/\s+/g, ' ').slice(0, 200)
  }
  return otherForm
}
