import { randomBytes } from 'node:crypto'

/** The place of a span in a trace (https://www.w3.org/TR/trace-context/). Ids are hexadecimal. */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  /** False if the first program of the trace does not record it. */
  readonly isSampled: boolean
  /** The vendors' part; null if there is none. */
  readonly state: string | null
}

/** Returns the context in `TRACEPARENT` and `TRACESTATE`; null if it is missing or not valid. */
export function contextIn(env: Readonly<Record<string, string | undefined>>): TraceContext | null {
  const found = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(env['TRACEPARENT']?.trim() ?? '')
  const [, version = '', traceId = '', spanId = '', flags = '', more] = found ?? []
  // Only a later version may have more parts.
  if (found === null || (version === '00' && more !== undefined) || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  const state = env['TRACESTATE']?.trim() ?? ''
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, state: state === '' || state.length > 512 ? null : state }
}

/** Returns the context of a new span below `parent`; null: it begins a trace. */
export function newContext(parent: TraceContext | null): TraceContext {
  const spanId = newSpanId()
  return parent === null ? { traceId: randomBytes(16).toString('hex'), spanId, isSampled: true, state: null } : { ...parent, spanId }
}

export const newSpanId = (): string => randomBytes(8).toString('hex')

/** Returns the variables that pass a context on to a program. */
export function variablesOf({ traceId, spanId, isSampled, state }: TraceContext): Readonly<Record<string, string>> {
  return { TRACEPARENT: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`, ...(state === null ? {} : { TRACESTATE: state }) }
}
