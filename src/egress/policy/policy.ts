/** What a cell may reach. Under `public` and `open`, entries say which names are treated in their own way: inspected, asked about, pinned. */
export type EgressPolicy =
  | { readonly mode: 'off' }
  | { readonly mode: 'allowlist'; readonly entries: readonly AllowEntry[] }
  | {
      readonly mode: 'public'
      readonly entries: readonly AllowEntry[]
      /** Ranges in CIDR notation that are rejected besides the internal ones. */
      readonly blocked: readonly string[]
    }
  | { readonly mode: 'open'; readonly entries: readonly AllowEntry[] }

export interface AllowEntry {
  /** Lower-case ASCII after IDNA: an exact name, `*.name` for subdomains only, or `*` for every name. */
  readonly host: string
  /** TCP ports, at least one. */
  readonly ports: readonly number[]
  /** True lets the name resolve to an internal address. */
  readonly internal: boolean
  /** A pinned destination: dialled instead of what the name resolves to. Implies that internal is meant. */
  readonly pin?: { readonly address: string; readonly port?: number }
  /**
   * The name is the gateway's own: plain HTTP in the cell, forwarded over TLS to this host, whose address is `pin` if that is set.
   * Judged by request, like an inspected host.
   */
  readonly endpoint?: { readonly host: string; readonly port: number }
  /** True: each connection waits for a human's answer before anything is looked up or dialled. */
  readonly ask?: boolean
  /** The gateway ends TLS for this name and judges each request. Absent: what passes stays encrypted end to end. */
  readonly inspect?: Inspection
  /** Who asked for it: `user`, or the name of a preset. */
  readonly source: string
}

export type RuleAction = 'allow' | 'deny' | 'ask'

/** Rules for the requests to one host. The first that matches decides; `otherwise` decides if none does. */
export interface Inspection {
  readonly rules: readonly HttpRule[]
  readonly otherwise: RuleAction
}

export interface HttpRule {
  readonly action: RuleAction
  /** Upper-case methods; empty stands for every method. */
  readonly methods: readonly string[]
  /** A pattern of the normalised path: `*` stands for part of one segment, `**` for any rest. */
  readonly path: string
  /** Query parameters that must be there with these values. */
  readonly query?: Readonly<Record<string, string>>
  /** `user`, or the name of the rule set that it comes from. */
  readonly source: string
}
