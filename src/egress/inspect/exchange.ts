import { STATUS_CODES } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { messageOf } from '../../errors.ts'
import type { Approver } from '../approval.ts'
import { RefusedError } from '../http-guard.ts'
import type { Refusal } from '../http-stream.ts'
import type { InspectedRequest } from '../ledger.ts'
import { endToEnd, type Fields, valuesOf, without } from './fields.ts'
import type { InboundRequest } from './inbound.ts'
import { type OutboundExchange, type OutboundRequest, type OutboundResponse, StaleError } from './outbound.ts'
import { type CanonicalTarget, canonicalTarget } from './path.ts'
import { ruleText, type Verdict } from './rules.ts'
import type { Upstream } from './upstream.ts'

/** What the exchanges of one inspected host and connection share. */
export interface ExchangeContext {
  readonly connection: number
  readonly cell: string
  readonly cellName: string
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly judge: (request: { readonly methods: readonly string[]; readonly target: CanonicalTarget }) => Verdict
  readonly upstream: Upstream
  readonly approve: Approver | undefined
  readonly record: (request: InspectedRequest) => void
}

/** What passed the judgement, ready to go on. */
export interface Passed {
  readonly outbound: OutboundRequest
  readonly note: (end: Partial<InspectedRequest>) => void
}

/** A method of plain letters: what else servers take for one is anybody's guess. */
const plainMethod = /^[A-Z]{1,24}(?:-[A-Z]{1,24}){0,2}$/
/** Fields by which a request asks to be taken for one with another method or path, depending on who reads it. */
const methodOverrides = ['x-http-method-override', 'x-http-method', 'x-method-override']
const pathOverrides = [
  'x-original-url',
  'x-rewrite-url',
  'x-original-uri',
  'x-forwarded-uri',
  'x-forwarded-host',
  'x-host',
  'x-original-host',
]
const shownPath = 200

/** Serves one request, from its head to the end of its answer: judged, asked about, forwarded. Never rejects. */
export async function exchange(request: InboundRequest, context: ExchangeContext): Promise<void> {
  const passed = await judged(request, context)
  if (passed === null) return
  try {
    await forwarded(request, passed, context)
  } catch (error) {
    failed(request, error, passed.note)
  }
}

/** Judges a request and answers it where it may not go on; then the result is null. */
export async function judged(request: InboundRequest, context: ExchangeContext): Promise<Passed | null> {
  const startedAt = Date.now()
  const target = canonicalTarget(request.target)
  const path = (target?.path ?? request.target.split('?')[0] ?? '').replace(/[^\x21-\x7e]/g, '?').slice(0, shownPath)
  const method = request.method.slice(0, 24).replace(/[^\x21-\x7e]/g, '?')
  let noted = false
  const note = (end: Partial<InspectedRequest>) => {
    if (noted) return
    noted = true
    const { connection, host, port } = context
    const rest = { decision: 'allow' as const, source: null, status: 0, address: null, bytesOut: 0, bytesIn: 0 }
    context.record({ connection, host, port, method, path, ...rest, durationMs: Date.now() - startedAt, ...end })
  }
  const refuse = (status: number, reason: Refusal['reason'], why: string, source: string | null = null): null => {
    note({ decision: 'deny', reason, status, source })
    answer(request, status, `paddock: ${why}\n`)
    return null
  }
  const wrong = malformed(request, target, context)
  if (wrong !== null || target === null) return refuse(wrong?.status ?? 400, wrong?.reason ?? 'malformed', wrong?.why ?? 'the target')
  const overrides = methodOverrides.flatMap((name) => valuesOf(request.headers, name)).map((each) => each.toUpperCase())
  const verdict = context.judge({ methods: [request.method, ...overrides, ...queryMethods(target)], target })
  const by = verdict.rule === null ? 'the rules of this host' : `rule "${ruleText(verdict.rule)}" (${verdict.rule.source})`
  const source = verdict.rule?.source ?? null
  if (verdict.action === 'deny') return refuse(403, 'rule', `denied by ${by}: ${method} ${context.host}${path}`, source)
  if (verdict.action === 'ask') {
    const { cell, cellName, host, port } = context
    const question = { cell, cellName, host, port, request: { method, path }, source: source ?? 'user' }
    const answered = await context.approve?.(question, request.gone)
    if (request.gone.aborted) {
      note({ decision: 'deny', reason: 'not-approved', source })
      return null
    }
    if (answered?.allowed !== true)
      return refuse(403, 'not-approved', `nobody allowed what ${by} asks about: ${method} ${host}${path}`, source)
  }
  return { outbound: outboundOf(request, target, context), note: (end) => note({ source, ...end }) }
}

function malformed(
  request: InboundRequest,
  target: CanonicalTarget | null,
  { host, port }: ExchangeContext,
): { readonly status: number; readonly reason: Refusal['reason']; readonly why: string } | null {
  const names = [host, `${host}:${port}`]
  if (request.authorities.length === 0 || !request.authorities.every((each) => names.includes(each.toLowerCase()))) {
    return { status: 421, reason: 'host-mismatch', why: `this connection is for ${host} only` }
  }
  const say = (why: string) => ({ status: 400, reason: 'malformed' as const, why })
  if (!plainMethod.test(request.method)) return say('the method')
  if (request.method === 'CONNECT' || request.method === 'TRACE') return say(`${request.method} is not passed on`)
  if (target === null) return say('the path can be read in more than one way')
  const override = pathOverrides.find((name) => valuesOf(request.headers, name).length > 0)
  if (override !== undefined) return say(`${override} could stand for another path`)
  return null
}

function queryMethods({ query }: CanonicalTarget): string[] {
  if (!/method/i.test(query)) return []
  return [...new URLSearchParams(query.slice(1))]
    .filter(([name]) => name.toLowerCase() === '_method')
    .map(([, value]) => value.toUpperCase())
}

function outboundOf(request: InboundRequest, target: CanonicalTarget, { host, port, tls }: ExchangeContext): OutboundRequest {
  const trailers = valuesOf(request.headers, 'te').some((value) => /(?:^|,)\s*trailers\s*(?:$|,)/i.test(value))
  const headers = without(endToEnd(request.headers), 'host')
  return {
    method: request.method,
    target: target.path + target.query,
    authority: port === (tls ? 443 : 80) ? host : `${host}:${port}`,
    headers: trailers ? [...headers, ['te', 'trailers']] : headers,
    framing: request.framing,
    inform: (status, fields) => request.inform(status, fields),
    signal: request.gone,
  }
}

async function forwarded(request: InboundRequest, { outbound, note }: Passed, context: ExchangeContext): Promise<void> {
  let sent: OutboundExchange
  let response: OutboundResponse
  let bytesOut = 0
  for (let tries = 0; ; tries++) {
    sent = await context.upstream.send(outbound)
    if (request.framing === 'none') sent.finish([])
    else bytesOut = 0
    if (request.framing !== 'none')
      pour(
        request.body,
        sent.body,
        (bytes) => (bytesOut += bytes),
        () => sent.finish(request.trailers()),
      )
    try {
      response = await sent.response
      break
    } catch (error) {
      // A body is poured once; without one a request that nobody has seen is sent again.
      if (!(error instanceof StaleError) || request.framing !== 'none' || tries > 0) throw error
    }
  }
  if (request.gone.aborted) {
    sent.abort()
    return note({ status: response.status, address: sent.address, bytesOut })
  }
  const { status } = response
  const out = request.respond(status, response.message || (STATUS_CODES[status] ?? ''), endToEnd(response.headers))
  let bytesIn = 0
  const done = Promise.withResolvers<void>()
  response.body.once('close', () => {
    if (!response.body.readableEnded) request.abort()
    done.resolve()
  })
  request.gone.addEventListener('abort', () => {
    if (!response.body.readableEnded || !sent.body.writableFinished) sent.abort()
    done.resolve()
  })
  pour(
    response.body,
    out,
    (bytes) => (bytesIn += bytes),
    () => request.finish(response.trailers()),
  )
  await done.promise
  note({ status, address: sent.address, bytesOut, bytesIn })
}

/** Carries a body with back-pressure; whoever waits at the other end is told when it is whole. */
function pour(from: Readable, to: Writable, count: (bytes: number) => void, whole: () => void): void {
  to.on('error', () => {})
  from.on('data', (chunk: Buffer) => count(chunk.length))
  from.once('end', whole)
  from.pipe(to, { end: false })
}

function failed(request: InboundRequest, error: unknown, note: Passed['note']): void {
  const refusal: Refusal = error instanceof RefusedError ? error.refusal : { reason: 'unreachable', detail: messageOf(error) }
  if (request.gone.aborted) return note({ status: 0 })
  note({ decision: 'deny', reason: refusal.reason, status: 502, detail: refusal.detail.slice(0, shownPath) })
  answer(request, 502, `paddock: the host could not be asked: ${refusal.reason}: ${refusal.detail}\n`)
}

/** An answer of the gateway's own: short, plain, and to be understood by an agent that reads it. */
export function answer(request: InboundRequest, status: number, text: string): void {
  const bytes = Buffer.from(text)
  const fields: Fields = [
    ['content-type', 'text/plain; charset=utf-8'],
    ['content-length', String(bytes.length)],
    ['cache-control', 'no-store'],
  ]
  try {
    const out = request.respond(status, STATUS_CODES[status] ?? '', fields)
    if (request.method !== 'HEAD') out.write(bytes)
    request.finish([])
  } catch {
    request.abort()
  }
}
