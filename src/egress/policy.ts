/**
 * What a cell may reach. `public` and `open` are words of the policy; a backend that cannot enforce them refuses.
 */
export type EgressPolicy =
  | { readonly mode: 'off' }
  | { readonly mode: 'allowlist'; readonly entries: readonly AllowEntry[] }
  | { readonly mode: 'public' }
  | { readonly mode: 'open' }

export interface AllowEntry {
  /** Lower-case ASCII after IDNA: an exact name, or `*.name` for subdomains only. */
  readonly host: string
  /** TCP ports, at least one. */
  readonly ports: readonly number[]
  /** True lets the name resolve to an internal address. */
  readonly internal: boolean
  /** A pinned destination: dialled instead of what the name resolves to. Implies that internal is meant. */
  readonly pin?: { readonly address: string; readonly port?: number }
  /** Who asked for it: `user`, or the name of a preset. */
  readonly source: string
}
