import type { AuditSink } from '../audit/event.ts'
import { monotonicMs } from '../base/monotonic.ts'
import type { DenyReason, EgressSummary, ReachedDestination } from './egress-summary.ts'
import { ModelCalls, type OnModelCall } from './model-calls.ts'
import { Allowance } from './policy/egress-allowance.ts'
import { groupOf, WrittenOnce } from './written-once.ts'

/** Maximum number of rows in each list of the summary. */
const maxRows = 1_000
/**
 * Limits for audit events about things that were recorded before: `burst` at once, then `perSecond`. The rest is only counted, because a
 * cell must not be able to fill the log. Things that are recorded for the first time have a separate budget (`WrittenOnce`).
 */
const burst = 10_000
const perSecond = 20
/** Milliseconds between two events that report unwritten events, and the maximum number of domains in each. */
const unwrittenMs = 10_000
const maxDomains = 20

export interface Refused {
  readonly host: string
  /** The port, or null for a name in a DNS query. */
  readonly port: number | null
  readonly reason: DenyReason
  readonly detail?: string
}

export type OnDenied = (denied: Pick<Refused, 'host' | 'port' | 'reason'>) => void

/** One request to an inspected host. Its query and its fields are not recorded, because they contain secrets. */
export interface InspectedRequest {
  readonly connection: number
  readonly host: string
  readonly port: number
  readonly method: string
  /** Canonical path, cut to 200 characters. */
  readonly path: string
  readonly decision: 'allow' | 'deny'
  readonly reason?: DenyReason
  readonly detail?: string
  /** The source of the deciding rule. Null if no rule decided. */
  readonly source: string | null
  /** Names of the credentials that were swapped in. Absent if there were none. */
  readonly credentials?: readonly string[]
  /** Status of the answer; 0 if there was no answer. */
  readonly status: number
  /** The address that the request was sent to. */
  readonly address: string | null
  /** Size of the request body in bytes. `bytesIn` is that of the answer's body. */
  readonly bytesOut: number
  readonly bytesIn: number
  readonly durationMs: number
  /** True if the host ended its answer early. */
  readonly cut?: true
  /** End of a rate limit according to the answer's headers, in milliseconds since the epoch. */
  readonly resetsAt?: number
  /** True if the cell has a credential for this host. */
  readonly bound?: true
}

export interface Traffic {
  readonly connection: number
  readonly host: string
  readonly port: number
  readonly bytesOut: number
  readonly bytesIn: number
  readonly durationMs: number
  readonly how: string
}

type Counted<T> = { -readonly [Key in keyof T]: T[Key] }
type Destination = Counted<ReachedDestination> & { connected: boolean }

/** Counts and records the decisions of one gateway. Its size is bounded, however many names and connections a cell tries. */
export class EgressLedger {
  readonly #mode: EgressSummary['mode']
  readonly #onDenied: OnDenied
  readonly #record: (kind: string, data: Record<string, unknown>) => void
  readonly #reached = new Map<string, Destination>()
  readonly #denied = new Map<string, Counted<EgressSummary['denied'][number]>>()
  readonly #once = new WrittenOnce()
  readonly #dnsQueries = { allowed: 0, denied: 0 }
  readonly #requests = { allow: 0, deny: 0 }
  readonly #models: ModelCalls
  #deniedMore = 0
  #connections = 0
  #bytesOut = 0
  #bytesIn = 0
  readonly #allowance = new Allowance(burst, perSecond)
  #unwritten = 0
  #unsaid: { count: number; domains: Map<string, number>; since: number } = {
    count: 0,
    domains: new Map<string, number>(),
    since: Number.NEGATIVE_INFINITY,
  }

  /** `onDenied` is called with the first denial of each host for each reason, within the limits of the summary. */
  constructor(cell: string, mode: EgressSummary['mode'], audit: AuditSink, onDenied: OnDenied = () => {}, onModelCall?: OnModelCall) {
    this.#mode = mode
    this.#models = new ModelCalls(onModelCall)
    this.#onDenied = onDenied
    this.#record = (kind, data) => audit({ kind, cell, data })
  }

  /** Records the decision on a DNS query. Each name is written once. Beyond the limits of `WrittenOnce`, names are counted by domain. */
  asked(name: string, reason: DenyReason | null): void {
    const decision = reason === null ? 'allowed' : 'denied'
    this.#dnsQueries[decision]++
    if (reason !== null) this.#countDenial({ host: name, port: null, reason })
    const seen = this.#once.see(name, `dns ${decision}`)
    if (seen === 'seen') return
    const data = reason === null ? { name, decision } : { name, decision, reason }
    if (seen === 'first') this.#record('egress.dns', data)
    else this.#write('egress.dns', data, name)
  }

  /** Records a connection that was allowed, with the address that was judged. */
  allowed(data: { readonly connection: number; readonly host: string; readonly port: number } & Record<string, unknown>): void {
    this.#connections++
    const row = this.#rowOf(data.host, data.port)
    if (row !== null) row.connections++
    if (data['inspected'] !== true) this.connected(data.host, data.port)
    this.#writeFirst('egress.allow', data, data.host, 'allow')
  }

  /** Records that the gateway connected to a destination. Before that, the summary does not list an inspected host as reached. */
  connected(host: string, port: number): void {
    const row = this.#rowOf(host, port)
    if (row !== null) row.connected = true
  }

  denied(refused: Refused & { readonly connection: number }): void {
    this.#countDenial(refused)
    this.#writeFirst('egress.deny', { ...refused }, refused.host, `deny ${refused.reason}`)
  }

  /** Records a finished request to an inspected host. */
  requested({ bound, ...request }: InspectedRequest): void {
    if (bound === true) this.#models.requested(request)
    this.#requests[request.decision]++
    const { host, port, reason } = request
    if (reason !== undefined) this.#countDenial({ host, port, reason })
    this.#writeFirst('egress.request', { ...request }, host, `request ${reason ?? ''}`)
  }

  ended(traffic: Traffic): void {
    this.#bytesOut += traffic.bytesOut
    this.#bytesIn += traffic.bytesIn
    const row = this.#rowOf(traffic.host, traffic.port)
    if (row !== null) {
      row.bytesOut += traffic.bytesOut
      row.bytesIn += traffic.bytesIn
    }
    this.#write('egress.end', { ...traffic }, traffic.host)
  }

  summary(): EgressSummary {
    const models = this.#models.summary()
    return {
      mode: this.#mode,
      connections: this.#connections,
      bytesOut: this.#bytesOut,
      bytesIn: this.#bytesIn,
      reached: [...this.#reached.values()].filter((row) => row.connected).map(({ connected: _, ...row }) => row),
      denied: [...this.#denied.values()].map((row) => ({ ...row })),
      ...(this.#deniedMore > 0 ? { deniedMore: this.#deniedMore } : {}),
      ...(this.#requests.allow + this.#requests.deny > 0
        ? { requests: { allowed: this.#requests.allow, denied: this.#requests.deny } }
        : {}),
      ...(models === null ? {} : { models }),
    }
  }

  /** Records the use of a credential, or a placeholder in the wrong place. The caller limits the rate. */
  credential(kind: 'credential.use' | 'credential.astray', data: Readonly<Record<string, unknown>>): void {
    this.#record(kind, data)
  }

  /** Writes the totals of all events that were only counted. */
  close(): void {
    this.#sayUnwritten()
    this.#record('egress.total', {
      connections: this.#connections,
      bytesOut: this.#bytesOut,
      bytesIn: this.#bytesIn,
      dnsAllowed: this.#dnsQueries.allowed,
      dnsDenied: this.#dnsQueries.denied,
      unwritten: this.#unwritten,
    })
  }

  #rowOf(host: string, port: number): Destination | null {
    const key = `${host}:${port}`
    let row = this.#reached.get(key)
    if (row === undefined && this.#reached.size < maxRows) {
      row = { host, port, connections: 0, bytesOut: 0, bytesIn: 0, connected: false }
      this.#reached.set(key, row)
    }
    return row ?? null
  }

  #countDenial({ host, port, reason }: Refused): void {
    const key = `${host} ${port} ${reason}`
    const row = this.#denied.get(key)
    if (row !== undefined) row.count++
    else if (this.#denied.size >= maxRows) this.#deniedMore++
    else {
      this.#denied.set(key, { host, port, reason, count: 1 })
      this.#onDenied({ host, port, reason })
    }
  }

  /** Writes the first event of its kind about a host, even if other events flood the log. */
  #writeFirst(kind: string, data: Record<string, unknown>, host: string, about: string): void {
    if (this.#once.see(host, about) === 'first') this.#record(kind, data)
    else this.#write(kind, data, host)
  }

  #write(kind: string, data: Record<string, unknown>, host: string): void {
    if (this.#allowance.take()) this.#record(kind, data)
    else this.#leaveOut(host)
  }

  /** Counts an event that is not written, and reports the count at once and then at intervals. */
  #leaveOut(host: string): void {
    this.#unwritten++
    const { domains } = this.#unsaid
    this.#unsaid.count++
    const domain = groupOf(host)
    if (domains.has(domain) || domains.size < maxDomains) domains.set(domain, (domains.get(domain) ?? 0) + 1)
    if (monotonicMs() - this.#unsaid.since >= unwrittenMs) this.#sayUnwritten()
  }

  #sayUnwritten(): void {
    const { count, domains } = this.#unsaid
    if (count === 0) return
    this.#unsaid.count = 0
    this.#unsaid.domains = new Map()
    this.#unsaid.since = monotonicMs()
    this.#record('egress.unwritten', { count, domains: [...domains].map(([domain, times]) => `${domain} ${times}`) })
  }
}
