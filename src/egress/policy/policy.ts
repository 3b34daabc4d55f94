/**
 * The network access of a cell. Under `public` and `open`, entries name the hosts that are treated specially: inspected, asked about or
 * pinned.
 */
export type EgressPolicy =
  | { readonly mode: 'off' }
  | { readonly mode: 'allowlist'; readonly entries: readonly AllowEntry[] }
  | {
      readonly mode: 'public'
      readonly entries: readonly AllowEntry[]
      /** Ranges in CIDR notation that are rejected in addition to the internal ones. */
      readonly blocked: readonly string[]
    }
  | { readonly mode: 'open'; readonly entries: readonly AllowEntry[] }

export interface AllowEntry {
  /** Lower-case ASCII after IDNA: an exact name, `*.name` for only the subdomains, or `*` for every name. */
  readonly host: string
  /** TCP ports, at least one. */
  readonly ports: readonly number[]
  /** True if the name may resolve to an internal address. */
  readonly internal: boolean
  /** A pinned destination, dialled instead of the name's resolved addresses. It may be internal. */
  readonly pin?: { readonly address: string; readonly port?: number }
  /**
   * Set if the name belongs to the gateway itself: plain HTTP in the cell, forwarded over TLS to this host, at the address `pin` if that is
   * set. Judged by request, like an inspected host.
   */
  readonly endpoint?: { readonly host: string; readonly port: number }
  /** True if each connection waits for a human's answer before anything is looked up or dialled. */
  readonly ask?: boolean
  /** If present, the gateway terminates TLS for this name and judges each request. If absent, traffic stays encrypted end to end. */
  readonly inspect?: Inspection
  /** The origin of the entry: `user`, or the name of a preset. */
  readonly source: string
}

export type RuleAction = 'allow' | 'deny' | 'ask'

/** Rules for the requests to one host. The first matching rule decides, or `otherwise` if no rule matches. */
export interface Inspection {
  readonly rules: readonly HttpRule[]
  readonly otherwise: RuleAction
}

export interface HttpRule {
  readonly action: RuleAction
  /** Upper-case methods. Empty means every method. */
  readonly methods: readonly string[]
  /** A pattern of the normalised path: `*` matches part of one segment, `**` anything. */
  readonly path: string
  /** Query parameters that must be present with these values. */
  readonly query?: Readonly<Record<string, string>>
  /** The origin of the rule: `user`, or the name of a rule set. */
  readonly source: string
}
