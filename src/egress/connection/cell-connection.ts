import { isIP, type Socket } from 'node:net'
import { messageOf } from '../../base/errors.ts'
import type { ApprovalAnswer } from '../approvals/approval.ts'
import type { UpstreamProxy } from '../connection/dial.ts'
import { internalName } from '../dns/names-ahead.ts'
import { TooBusy } from '../dns/quick-resolver.ts'
import { dialable, type Resolver } from '../dns/resolver.ts'
import type { SyntheticAddresses } from '../dns/synthetic.ts'
import { HttpGuard, RefusedError } from '../http/http-guard.ts'
import type { Refusal } from '../http/http-stream.ts'
import type { Inspector } from '../inspect/inspector.ts'
import type { OnEgressNotice } from '../notice.ts'
import type { Destination } from '../placeholder/keeper.ts'
import type { OwnAddresses } from '../policy/addresses.ts'
import type { Allowlist } from '../policy/allowlist.ts'
import type { AllowEntry, EgressPolicy, Inspection } from '../policy/egress-policy.ts'
import type { ServedCell } from '../served-cell.ts'
import { refuseClearHttp2 } from './clear-http2.ts'
import type { ClientStream } from './client-stream.ts'
import { type Connect, connectBy, dial, type Target } from './dial.ts'
import type { Held } from './held-bytes.ts'
import { firstToSpeak, OpeningJudge, type OpeningResult, readOpening } from './opening.ts'
import { denialText, refuseHttp } from './refuse-http.ts'
import { relay } from './relay.ts'
import { reset } from './reset.ts'

export interface ConnectionLimits {
  /** Milliseconds in which a client's first bytes must be complete. */
  readonly firstBytesMs: number
  /** Milliseconds of silence from a client, on a port other than 80 and 443, after which the server may speak first. */
  readonly sniffMs: number
  readonly resolveMs: number
  readonly dialMs: number
  readonly halfOpenMs: number
}

/** Returns a stream to the machine that judges a connection and serves it. */
export type Forward = (to: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<ClientStream>

/** State that all connections of one gateway share. */
export interface ConnectionContext extends ServedCell {
  readonly allowlist: Allowlist
  readonly names: SyntheticAddresses
  readonly resolver: Resolver
  readonly connect: Connect
  /** Carries connections to the machine that judges them; null: this one does. */
  readonly forward: Forward | null
  /** The proxy through which this machine reaches other hosts; null: connections are direct. */
  readonly upstream: UpstreamProxy | null
  readonly ownAddresses: () => OwnAddresses
  /** Called each time an allowed name does not resolve, or has only internal addresses. */
  readonly notice: OnEgressNotice
  readonly mode: EgressPolicy['mode']
  readonly limits: ConnectionLimits
  /** Returns the inspector, whose code is loaded for the first inspected connection. */
  readonly inspector: () => Promise<Inspector>
}

class Refused extends Error {
  readonly refusal: Refusal
  /** True if the client has sent a whole request head and nothing has been relayed, so that it can be answered. */
  isRequest = false

  constructor(reason: Refusal['reason'], detail: string) {
    super(detail)
    this.refusal = { reason, detail }
  }
}

/**
 * Serves one connection from a cell, from a paused socket to its end. Judges the dialled address and the first bytes, resolves the host
 * once, and then relays to exactly the address that was judged. A refusal resets the client, so that no program mistakes it for an empty
 * answer. Never rejects.
 */
export async function serveConnection(client: Socket, id: number, context: ConnectionContext, signal: AbortSignal): Promise<void> {
  client.on('error', () => {})
  const address = client.localAddress?.replace(/^::ffff:/, '')
  const port = client.localPort
  if (address === undefined || port === undefined) {
    client.destroy()
    return
  }
  const host = context.names.nameOf(address)
  if (host === null) {
    context.ledger.denied({
      connection: id,
      host: address,
      port,
      reason: 'literal-address',
      detail: 'the address belongs to no name in the policy',
    })
    reset(client)
    return
  }
  return serveNamed(client, { id, host, port }, context, signal)
}

/** Serves a socket whose host name and port are already known, for example from a proxy request. Never rejects. */
export async function serveNamed(
  client: ClientStream,
  { id, host, port }: { readonly id: number; readonly host: string; readonly port: number },
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<void> {
  const held = context.held.hold()
  try {
    const entry = context.allowlist.find(host, port)
    if (entry === null) throw new Refused('not-allowed', 'no entry allows this port of the name')
    if (context.forward !== null) await forwarded(client, { id, host, port, entry, held }, context, signal)
    else await carry(client, { id, host, port, entry, held }, context, signal)
  } catch (error) {
    const { reason, detail } = refusalOf(error)
    context.ledger.denied({ connection: id, host, port, reason, detail })
    const text = error instanceof Refused && error.isRequest ? denialText(reason, host, port) : null
    if (text !== null) await refuseHttp(client, text, signal)
  } finally {
    held.release()
    reset(client)
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused || error instanceof RefusedError) return error.refusal
  return { reason: 'malformed', detail: messageOf(error) }
}

/** Marks a refusal of a request that can be answered. */
function asRequest(error: unknown): unknown {
  if (error instanceof Refused) error.isRequest = true
  return error
}

interface Meant {
  readonly id: number
  readonly host: string
  readonly port: number
  readonly entry: AllowEntry
  /** Counts the bytes that the client has sent and that have not been forwarded yet. */
  readonly held: Held
}

async function carry(client: ClientStream, meant: Meant, context: ConnectionContext, signal: AbortSignal): Promise<void> {
  const { id, host, port, entry, held } = meant
  const { limits, ledger } = context
  const judge = new OpeningJudge({ host, port })
  const promised = port === 80 || port === 443
  const silentMs = promised ? limits.firstBytesMs : limits.sniffMs
  let opening = await readOpening(client, judge, { silentMs, totalMs: limits.firstBytesMs, signal, held })
  if (opening.kind === 'silent' && promised) opening = { kind: 'refused', refusal: judge.late() }
  if (opening.kind === 'gone') return
  if (opening.kind === 'refused') {
    const { reason, detail } = opening.refusal
    throw reason === 'host-mismatch' ? asRequest(new Refused(reason, detail)) : new Refused(reason, detail)
  }
  refuseHttp2(opening, meant, context)
  const isRequest = opening.kind === 'open' && opening.opening === 'http'
  const answerable = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw isRequest ? asRequest(error) : error
    }
  }

  if (entry.ask === true) await answerable(approved(client, meant, context, signal))
  const inspection = entry.inspect ?? (entry.endpoint === undefined ? undefined : { rules: [], otherwise: 'allow' as const })
  if (inspection !== undefined) return inspected(client, opening, { ...meant, inspection }, context, signal)
  const targets = await answerable(targetsOf(meant, context, signal))
  const { socket: upstream, target } = await reach(targets, context, signal)
  const startedAt = Date.now()
  let end: { readonly how: string; readonly error?: unknown } = { how: 'closed' }
  try {
    ledger.allowed({
      connection: id,
      host,
      port,
      address: target.address,
      addressPort: target.port,
      protocol: opening.kind === 'open' ? opening.opening : 'unspoken',
      source: entry.source,
    })
    if (opening.kind === 'silent') opening = await openingAfterSilence(client, upstream, judge, { limits, signal, held })
    if (opening.kind === 'refused') throw new Refused(opening.refusal.reason, opening.refusal.detail)
    refuseHttp2(opening, meant, context)
    if (opening.kind !== 'open') return
    const watch = opening.opening === 'http' ? context.keeper.watch({ host, port, tls: false }) : null
    const guard = opening.opening === 'http' ? { through: new HttpGuard({ host, port }, upstream, { watch, held }) } : {}
    // The relay takes these bytes at once, and buffers no more than its streams do.
    held.release()
    end = await relay(client, upstream, { first: opening.bytes, halfOpenMs: limits.halfOpenMs, signal, ...guard })
    if (end.error instanceof RefusedError) throw end.error
  } finally {
    reset(upstream)
    ledger.ended({
      connection: id,
      host,
      port,
      bytesOut: upstream.bytesWritten,
      bytesIn: upstream.bytesRead,
      durationMs: Date.now() - startedAt,
      how: end.how,
    })
  }
}

/** Carries a connection to the machine that judges it. Nothing is read here. */
async function forwarded(
  client: ClientStream,
  { id, host, port, entry, held }: Meant,
  { forward, limits, ledger }: ConnectionContext,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = Date.now()
  held.release()
  const upstream = await forward?.({ host, port }, AbortSignal.any([signal, AbortSignal.timeout(limits.dialMs)])).catch(
    (error: unknown) => {
      throw new Refused('unreachable', messageOf(error))
    },
  )
  if (upstream === undefined) return
  ledger.allowed({ connection: id, host, port, source: entry.source, forwarded: true })
  const { how, bytesOut, bytesIn } = await relay(client, upstream, { halfOpenMs: limits.halfOpenMs, signal })
  ledger.ended({ connection: id, host, port, bytesOut, bytesIn, durationMs: Date.now() - startedAt, how })
}

/** Throws for HTTP/2 without TLS where its requests must not pass unread. */
function refuseHttp2(opening: OpeningResult, { entry, port }: Meant, { allowlist, ownAddresses }: ConnectionContext): void {
  if (opening.kind !== 'open' || opening.opening !== 'http2') return
  const why = refuseClearHttp2(entry, port, { entries: allowlist.entries, own: ownAddresses() })
  if (why !== null) throw new Refused('not-http', why)
}

/** Holds a connection until a human has allowed it. Until then nothing is resolved or dialled. */
async function approved(
  client: ClientStream,
  { host, port, entry }: Meant,
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<void> {
  if (context.approve === undefined) throw new Refused('not-approved', 'it needs permission, and nobody can be asked here')
  const gone = new AbortController()
  const onClose = (): void => gone.abort()
  client.once('close', onClose)
  try {
    const question = { cell: context.cell, cellName: context.cellName, host, port, request: null, source: entry.source }
    const { allowed, by } = await context.approve(question, AbortSignal.any([signal, gone.signal]))
    if (!allowed) throw new Refused('not-approved', whyNot[by])
  } finally {
    client.off('close', onClose)
  }
}

const whyNot: Readonly<Record<ApprovalAnswer['by'], string>> = {
  terminal: 'the answer was no',
  command: 'the answer was no',
  remembered: 'the answer was no, and was to be remembered',
  time: 'nobody answered in time',
  room: 'too many questions were open',
  unreadable: 'the request is too long to review',
  end: 'the connection or the run ended before an answer',
}

/** Hands a connection to the inspector. Refuses anything that is neither TLS nor HTTP, because it cannot be judged by request. */
async function inspected(
  client: ClientStream,
  opening: OpeningResult,
  { inspection, ...meant }: Meant & { readonly inspection: Inspection },
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<void> {
  const { id, host, port, entry, held } = meant
  if (opening.kind !== 'open' || opening.opening === 'opaque') throw new Refused('not-http', 'an inspected host accepts only HTTP')
  if (entry.endpoint !== undefined && opening.opening === 'tls')
    throw new Refused('not-http', 'this endpoint is served without TLS in the cell')
  const startedAt = Date.now()
  const tls = opening.opening === 'tls'
  context.ledger.allowed({ connection: id, host, port, protocol: opening.opening, source: entry.source, inspected: true })
  let how = 'closed'
  try {
    const inspector = await context.inspector()
    const reachNow = async (stop: AbortSignal) => {
      try {
        const reached = await reach(await targetsOf(meant, context, stop), context, stop)
        context.ledger.connected(host, port)
        return reached
      } catch (error) {
        throw new RefusedError(refusalOf(error))
      }
    }
    const destination: Destination = entry.endpoint === undefined ? { host, port, tls } : { ...entry.endpoint, tls: true }
    // The inspector counts its own bytes.
    held.release()
    await inspector.serve({ client, first: opening.bytes, tls, id, host, port, destination, inspection, reach: reachNow, signal })
  } catch (error) {
    how = 'refused'
    throw error
  } finally {
    const { bytesRead, bytesWritten } = client
    const durationMs = Date.now() - startedAt
    context.ledger.ended({ connection: id, host, port, bytesOut: bytesRead, bytesIn: bytesWritten, durationMs, how })
  }
}

/** Reads the first bytes after connecting. A client that waits for the server to speak first is not checked; a slow client is. */
async function openingAfterSilence(
  client: ClientStream,
  upstream: Socket,
  judge: OpeningJudge,
  { limits, signal, held }: { readonly limits: ConnectionLimits; readonly signal: AbortSignal; readonly held: Held },
): Promise<OpeningResult> {
  const first = await firstToSpeak(client, upstream, signal)
  if (first === 'gone') return { kind: 'gone' }
  if (first === 'upstream') return { kind: 'open', opening: 'opaque', bytes: Buffer.alloc(0) }
  return readOpening(client, judge, { silentMs: limits.firstBytesMs, totalMs: limits.firstBytesMs, signal, held })
}

async function targetsOf({ entry, ...meant }: Meant, context: ConnectionContext, signal: AbortSignal): Promise<Target[]> {
  const { host, port } = entry.endpoint ?? meant
  if (entry.pin !== undefined) {
    const { address } = entry.pin
    const pinned = { address, family: isIP(address) === 6 ? (6 as const) : (4 as const), port: entry.pin.port ?? port }
    return [context.upstream?.target(address, pinned.port, [pinned]) ?? pinned]
  }
  let resolved: Awaited<ReturnType<Resolver['resolve']>>
  try {
    resolved = await context.resolver.resolve(host, AbortSignal.any([signal, AbortSignal.timeout(context.limits.resolveMs)]))
  } catch (error) {
    const proxied = signal.aborted || error instanceof TooBusy ? null : throughProxy(host, port, context)
    if (proxied !== null) return [proxied]
    if (!signal.aborted) context.notice({ kind: 'unresolvable', host })
    throw new Refused('unresolvable', messageOf(error))
  }
  if (resolved.length === 0) {
    const proxied = throughProxy(host, port, context)
    if (proxied !== null) return [proxied]
    context.notice({ kind: 'unresolvable', host })
    throw new Refused('unresolvable', 'the name has no address')
  }
  const { allowed, refused } = dialable(resolved, entry, context.ownAddresses())
  if (allowed.length === 0) {
    context.notice(internalName({ ...entry, host: meant.host }, refused, context.mode))
    throw new Refused(
      'internal-address',
      `the name means ${refused
        .slice(0, 4)
        .map(({ address, kind }) => `${address} (${kind})`)
        .join(', ')}`,
    )
  }
  const proxied = context.upstream?.target(host, port, allowed) ?? null
  return proxied === null ? allowed.map(({ address, family }) => ({ address, family, port })) : [proxied]
}

/** Returns the target for a name that only the proxy can resolve, so that nobody here can judge its addresses. Null: nothing resolves it. */
function throughProxy(host: string, port: number, { upstream, notice }: ConnectionContext): Target | null {
  const target = upstream?.target(host, port, []) ?? null
  if (target !== null) notice({ kind: 'upstream-resolves', host, proxy: upstream?.shown ?? '' })
  return target
}

async function reach(
  targets: readonly Target[],
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<{ socket: Socket; target: Target }> {
  try {
    const reached = await dial(targets, { connect: connectBy(context), totalMs: context.limits.dialMs, signal })
    reached.socket.on('error', () => {})
    return reached
  } catch (error) {
    if (targets.some((each) => each.viaProxy !== undefined) && !signal.aborted)
      context.notice({ kind: 'upstream-failed', host: targets[0]?.viaProxy ?? '', problem: messageOf(error) })
    throw new Refused('unreachable', messageOf(error))
  }
}
