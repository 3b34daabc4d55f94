import type { DenyReason } from './egress-summary.ts'
import type { AddressKind } from './policy/addresses.ts'

/** What a user should know about a cell's network at the moment it becomes known. */
export type EgressNotice =
  /** An allowed name does not resolve on this machine. */
  | { readonly kind: 'unresolvable'; readonly host: string }
  | InternalName
  /** Only the proxy resolves an allowed name, so that no address of it was judged. */
  | { readonly kind: 'upstream-resolves'; readonly host: string; readonly proxy: string }
  /** The proxy did not connect to an allowed name. `problem`: a clause about the proxy. */
  | { readonly kind: 'upstream-failed'; readonly host: string; readonly problem: string }
  /** A host was denied for this reason for the first time. `port` is null for a name in a DNS query. */
  | { readonly kind: 'denied'; readonly host: string; readonly port: number | null; readonly reason: DenyReason }

/** A name that has only internal addresses, and that the policy allows otherwise. */
export interface InternalName {
  readonly kind: 'internal-address'
  readonly host: string
  /** Empty if the policy names no ports. */
  readonly ports: readonly number[]
  readonly addresses: readonly { readonly address: string; readonly kind: AddressKind }[]
  /** The option that pins the name to `ports` under the cell's policy; null if no option does. */
  readonly option: '--allow' | '--inspect' | null
}

export type OnEgressNotice = (notice: EgressNotice) => void
