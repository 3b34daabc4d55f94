import { STATUS_CODES } from 'node:http'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { denialText, reasonForCell } from '../connection/refuse-http.ts'
import { namedLinks } from '../forge/named-links.ts'
import { RefusedError } from '../http/http-guard.ts'
import type { Refusal } from '../http/http-stream.ts'
import type { InspectedRequest } from '../ledger.ts'
import type { Destination } from '../placeholder/keeper.ts'
import { maskedResponse } from '../placeholder/masked.ts'
import { answerRenewal } from '../placeholder/renewal-answer.ts'
import { endToEnd, type Fields, valuesOf, without, withoutSeparators } from '../requests/fields.ts'
import { framingFault } from '../requests/framing.ts'
import type { InboundRequest } from '../requests/inbound.ts'
import type { OutboundRequest, OutboundResponse } from '../requests/outbound.ts'
import { methodOverrides, pathOverride, plainMethod } from '../requests/overrides.ts'
import { type CanonicalTarget, canonicalTarget } from '../requests/path.ts'
import { ruleText, strictestOf, type Verdict } from '../requests/request-rules.ts'
import type { ServedCell } from '../served-cell.ts'
import { destinationsOf } from './destination.ts'
import { forward } from './forward.ts'
import type { Upstream } from './upstream.ts'

/** State that the exchanges of one inspected host and connection share. */
export interface ExchangeContext extends ServedCell {
  readonly connection: number
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly judge: (request: { readonly methods: readonly string[]; readonly target: CanonicalTarget }) => Verdict
  /** False if there is no rule that a request could bypass. */
  readonly ruled: boolean
  readonly upstream: Upstream
  /** The destination of the requests: `host` and `port`, or the host that an endpoint of the gateway represents. */
  readonly destination: Destination
}

/** A request that was allowed, ready to be forwarded. */
export interface Passed {
  readonly outbound: OutboundRequest
  readonly note: (end: Partial<InspectedRequest>) => void
  /** Returns the answer in the form that the cell may see. Throws if the cell may not see it at all. */
  readonly read: (response: OutboundResponse) => OutboundResponse
  /** Reports that the host rejected the credential in the request. The caller must do so. */
  readonly rejected: () => void
}

const shownPath = 200

/**
 * Serves a request, from its head to the end of its answer. Judges it, asks a human if a rule requires it, and forwards it. Never rejects.
 */
export async function exchange(request: InboundRequest, context: ExchangeContext): Promise<void> {
  const passed = await judged(request, context).catch(() => {
    request.abort()
    return null
  })
  if (passed === null) return
  try {
    await forward(request, passed.outbound, context.upstream, {
      note: passed.note,
      watch: context.keeper.watch(context.destination),
      read: (response) => {
        if (response.status === 401) passed.rejected()
        return passed.read(response)
      },
    })
  } catch (error) {
    failed(request, error, passed.note, context)
  }
}

/** Judges a request. If the request is not allowed, answers it and returns null. */
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
    const bound = context.keeper.binds(context.destination) ? { bound: true as const } : {}
    context.ledger.requested({ connection, host, port, method, path, ...rest, ...bound, durationMs: Date.now() - startedAt, ...end })
  }
  const refuse = (
    status: number,
    reason: Refusal['reason'],
    why: string,
    source: string | null = null,
    more?: { readonly detail?: string; readonly hint?: string | undefined },
  ): null => {
    const { hint, ...detail } = more ?? {}
    note({ decision: 'deny', reason, status, source, ...detail })
    if (hint === undefined) answer(request, status, `paddock: ${why}\n`)
    else answer(request, status, JSON.stringify({ message: `paddock: ${why}. ${hint}` }), 'application/json')
    return null
  }
  const wrong = malformed(request, target, context)
  if (wrong !== null || target === null) return refuse(wrong?.status ?? 400, wrong?.reason ?? 'malformed', wrong?.why ?? 'the target')
  const renewal = request.method === 'POST' ? context.keeper.renewal(context.destination.host, target.path) : null
  if (renewal !== null) {
    request.invite()
    const { status, json } = await answerRenewal(request.body, renewal)
    note({ status, source: 'credential' })
    answer(request, status, JSON.stringify(json), 'application/json')
    return null
  }
  const overrides = context.ruled ? methodOverrides(request.headers, target.query) : []
  if (overrides === null) return refuse(400, 'malformed', 'the method override is not a method')
  const methods = [...new Set([request.method, ...overrides])]
  const destinations = context.ruled ? destinationsOf(request.headers) : []
  if (destinations === null) return refuse(400, 'malformed', 'the Destination can be read in more than one way')
  // A MOVE or COPY writes its destination, so the destination is judged as a PUT.
  const verdict = strictestOf([
    context.judge({ methods, target }),
    ...destinations.map((each) => context.judge({ methods: [...new Set([...methods, 'PUT'])], target: each })),
  ])
  const by = verdict.rule === null ? 'the rules of this host' : `rule "${ruleText(verdict.rule)}" (${verdict.rule.source})`
  const source = verdict.rule?.source ?? null
  const hint = verdict.rule?.hint
  if (verdict.action === 'deny') return refuse(403, 'rule', `denied by ${by}: ${method} ${context.host}${path}`, source, { hint })
  if (verdict.action === 'ask') {
    const { cell, cellName, host, port } = context
    const shown = [target.path, ...destinations.map((each) => each.path + each.query)].join(' to ')
    const asked = { method: methods.join('+'), path: shown, query: target.query }
    const question = { cell, cellName, host, port, request: asked, source: source ?? 'user' }
    const answered = await context.approve?.(question, request.gone)
    if (request.gone.aborted) {
      note({ decision: 'deny', reason: 'not-approved', source })
      return null
    }
    if (answered?.allowed !== true)
      return refuse(403, 'not-approved', `nobody allowed what ${by} asks about: ${method} ${host}${path}`, source, { hint })
  }
  try {
    const { request: outbound, used, hidden, rejected } = await filled(outboundOf(request, target, context), target.path, context)
    return {
      outbound,
      rejected,
      note: (end) => note({ source, ...(used.length > 0 ? { credentials: used } : {}), ...end }),
      read: (response) => readAnswer(response, request.method, target.path, hidden, context),
    }
  } catch (error) {
    if (error instanceof RefusedError) return refuse(403, error.refusal.reason, error.refusal.detail, source)
    if (request.gone.aborted) {
      note({ source })
      return null
    }
    const reason = error instanceof PaddockError && error.code === 'LOGIN_NOT_RENEWED' ? 'not-renewed' : 'no-credential'
    const why = messageOf(error).replace(/\s+/g, ' ')
    return refuse(401, reason, reasonForCell(why), source, { detail: why.slice(0, shownPath) })
  }
}

/** Fields that request a part of an answer (RFC 9110, section 14.2, older servers, Azure's storage). Their names have no separators. */
const asksForParts = new Set(['range', 'ifrange', 'requestrange', 'xmsrange'])

/**
 * Returns a request with its credentials. If the cell has a credential for the host, the answer must be readable and complete, because a
 * credential that is fetched a few bytes at a time would not be found in any of the answers.
 */
async function filled(outbound: OutboundRequest, path: string, { keeper, destination }: ExchangeContext) {
  const found = await keeper.fill(outbound, path, destination, outbound.signal)
  if (!keeper.binds(destination)) return found
  const { inform } = outbound
  const headers: Fields = [
    ...without(found.request.headers, 'accept-encoding', 'accept-charset', 'sec-websocket-extensions').filter(
      ([name]) => !asksForParts.has(withoutSeparators(name)),
    ),
    ['accept-encoding', 'identity'],
  ]
  const request = { ...found.request, headers, inform: (status: number, fields: Fields) => inform(status, keeper.maskFields(fields)) }
  return { ...found, request }
}

function readAnswer(
  response: OutboundResponse,
  method: string,
  path: string,
  hidden: readonly string[],
  { keeper, destination }: ExchangeContext,
): OutboundResponse {
  if (!keeper.binds(destination)) return response
  return maskedResponse({ ...response, headers: namedLinks(response.headers, path) }, method, keeper, hidden)
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
  if (!expectsOnlyContinue(request.headers)) return { status: 417, reason: 'malformed', why: 'only 100-continue may be expected' }
  const fault = framingFault(request.headers, request.framing)
  if (fault !== null) return say(fault)
  const override = pathOverride(request.headers)
  return override === null ? null : say(`${override} could stand for another path`)
}

/** Returns true if a request expects nothing, or only 100 Continue, the one expectation that is defined (RFC 9110, section 10.1.1). */
function expectsOnlyContinue(headers: Fields): boolean {
  const members = valuesOf(headers, 'expect').flatMap((value) => value.split(',').map((each) => each.trim().toLowerCase()))
  return members.every((each) => each === '' || each === '100-continue')
}

function outboundOf(request: InboundRequest, target: CanonicalTarget, { destination }: ExchangeContext): OutboundRequest {
  const { host, port, tls } = destination
  const trailers = valuesOf(request.headers, 'te').some((value) => /(?:^|,)\s*trailers\s*(?:$|,)/i.test(value))
  // The gateway itself answers an expectation.
  const headers = without(endToEnd(request.headers), 'host', 'expect')
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

/**
 * Answers a failed request with 502, which makes clients retry for minutes. If the name does not resolve and was never reached
 * in this cell, the status is 424 (RFC 4918, section 11.4), which agent CLIs retry not at all or only for seconds.
 */
export function failed(request: InboundRequest, error: unknown, note: Passed['note'], { upstream, host, port }: ExchangeContext): void {
  const refusal: Refusal = error instanceof RefusedError ? error.refusal : { reason: 'unreachable', detail: messageOf(error) }
  if (request.gone.aborted) return note({ status: 0 })
  const hopeless = refusal.reason === 'unresolvable' && upstream.address === ''
  const denial = denialText(refusal.reason, host, port)
  const status = denial !== null ? 403 : hopeless ? 424 : 502
  note({ decision: 'deny', reason: refusal.reason, status, detail: refusal.detail.slice(0, shownPath) })
  if (denial !== null) return answer(request, status, denial)
  // The resolver's message is left out, because some clients mistake it for a temporary error.
  const why = hopeless
    ? `the name ${host} does not resolve on this machine`
    : `the host could not be asked: ${refusal.reason}: ${reasonForCell(refusal.detail)}`
  answer(request, status, `paddock: ${why}\n`)
}

/** Sends an answer from the gateway itself: short, plain, and understandable for an agent that reads it. */
export function answer(request: InboundRequest, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  const bytes = Buffer.from(text)
  const fields: Fields = [
    ['content-type', type],
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
