import type { AuditSink } from '../audit/event.ts'
import { Allowance } from './allowance.ts'
import type { DenyReason, EgressSummary, ReachedDestination } from './summary.ts'

/** Rows of each list of the summary, and distinct names of DNS that are written to the audit log one by one. */
const maxRows = 1_000
/** Audit events about connections: so many at once, then so many a second; the rest is counted. The log is not the cell's to fill. */
const burst = 10_000
const perSecond = 20

export interface Refused {
  readonly host: string
  /** Null for a name that was asked of DNS. */
  readonly port: number | null
  readonly reason: DenyReason
  readonly detail?: string
}

/** One request to an inspected host. Its query and its fields are in no record: they hold secrets. */
export interface InspectedRequest {
  readonly connection: number
  readonly host: string
  readonly port: number
  readonly method: string
  /** Canonical, cut to 200 characters. */
  readonly path: string
  readonly decision: 'allow' | 'deny'
  readonly reason?: DenyReason
  readonly detail?: string
  /** Where the rule that decided comes from; null where none did. */
  readonly source: string | null
  /** Names of the credentials that were put into it; absent where none was. */
  readonly credentials?: readonly string[]
  /** Of the answer; 0 where there was none. */
  readonly status: number
  /** What the request went to. */
  readonly address: string | null
  /** Of the bodies. */
  readonly bytesOut: number
  readonly bytesIn: number
  readonly durationMs: number
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

/** Counts and records what one gateway decides. Bounded, however many names and connections a cell tries. */
export class EgressLedger {
  readonly #mode: EgressSummary['mode']
  readonly #record: (kind: string, data: Record<string, unknown>) => void
  readonly #reached = new Map<string, Counted<ReachedDestination>>()
  readonly #denied = new Map<string, Counted<EgressSummary['denied'][number]>>()
  readonly #asked = { allowed: new Set<string>(), denied: new Set<string>() }
  readonly #dnsQueries = { allowed: 0, denied: 0 }
  readonly #requests = { allow: 0, deny: 0 }
  #deniedMore = 0
  #connections = 0
  #bytesOut = 0
  #bytesIn = 0
  readonly #allowance = new Allowance(burst, perSecond)
  #unwritten = 0

  constructor(cell: string, mode: EgressSummary['mode'], audit: AuditSink) {
    this.#mode = mode
    this.#record = (kind, data) => audit({ kind, cell, data })
  }

  /** A DNS question was decided. Each name is written once; after the first 1,000 of a kind they are only counted. */
  asked(name: string, reason: DenyReason | null): void {
    const decision = reason === null ? 'allowed' : 'denied'
    this.#dnsQueries[decision]++
    if (reason !== null) this.#countDenial({ host: name, port: null, reason })
    const known = this.#asked[decision]
    if (known.has(name) || known.size >= maxRows) return
    known.add(name)
    this.#record('egress.dns', reason === null ? { name, decision } : { name, decision, reason })
  }

  /** A connection was let out to the address that was checked. */
  allowed(data: { readonly connection: number; readonly host: string; readonly port: number } & Record<string, unknown>): void {
    this.#connections++
    const row = this.#rowOf(data.host, data.port)
    if (row !== null) row.connections++
    this.#write('egress.allow', data)
  }

  denied(refused: Refused & { readonly connection: number }): void {
    this.#countDenial(refused)
    this.#write('egress.deny', { ...refused })
  }

  /** A request to an inspected host was judged, and is over. */
  requested(request: InspectedRequest): void {
    this.#requests[request.decision]++
    const { host, port, reason } = request
    if (reason !== undefined) this.#countDenial({ host, port, reason })
    this.#write('egress.request', { ...request })
  }

  ended(traffic: Traffic): void {
    this.#bytesOut += traffic.bytesOut
    this.#bytesIn += traffic.bytesIn
    const row = this.#rowOf(traffic.host, traffic.port)
    if (row !== null) {
      row.bytesOut += traffic.bytesOut
      row.bytesIn += traffic.bytesIn
    }
    this.#write('egress.end', { ...traffic })
  }

  summary(): EgressSummary {
    return {
      mode: this.#mode,
      connections: this.#connections,
      bytesOut: this.#bytesOut,
      bytesIn: this.#bytesIn,
      reached: [...this.#reached.values()].map((row) => ({ ...row })),
      denied: [...this.#denied.values()].map((row) => ({ ...row })),
      ...(this.#deniedMore > 0 ? { deniedMore: this.#deniedMore } : {}),
      ...(this.#requests.allow + this.#requests.deny > 0
        ? { requests: { allowed: this.#requests.allow, denied: this.#requests.deny } }
        : {}),
    }
  }

  /** What became of credentials; bounded by whoever tells. */
  credential(kind: 'credential.use' | 'credential.astray', data: Readonly<Record<string, unknown>>): void {
    this.#record(kind, data)
  }

  /** Writes the totals that stand for all that was only counted. */
  close(): void {
    this.#record('egress.total', {
      connections: this.#connections,
      bytesOut: this.#bytesOut,
      bytesIn: this.#bytesIn,
      dnsAllowed: this.#dnsQueries.allowed,
      dnsDenied: this.#dnsQueries.denied,
      unwritten: this.#unwritten,
    })
  }

  #rowOf(host: string, port: number): Counted<ReachedDestination> | null {
    const key = `${host}:${port}`
    let row = this.#reached.get(key)
    if (row === undefined && this.#reached.size < maxRows) {
      row = { host, port, connections: 0, bytesOut: 0, bytesIn: 0 }
      this.#reached.set(key, row)
    }
    return row ?? null
  }

  #countDenial({ host, port, reason }: Refused): void {
    const key = `${host} ${port} ${reason}`
    const row = this.#denied.get(key)
    if (row !== undefined) row.count++
    else if (this.#denied.size < maxRows) this.#denied.set(key, { host, port, reason, count: 1 })
    else this.#deniedMore++
  }

  #write(kind: string, data: Record<string, unknown>): void {
    if (!this.#allowance.take()) {
      this.#unwritten++
      return
    }
    this.#record(kind, data)
  }
}
