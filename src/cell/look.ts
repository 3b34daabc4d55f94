import type { EgressPolicy } from '../egress/policy/policy.ts'
import type { LimitInForce } from './plan/limits.ts'

/** One thing that cells need of this machine. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  /** What was found, as a phrase. */
  readonly detail: string
  /** How to fix it, as an imperative. */
  readonly hint?: string
}

/** What a backend finds on this machine; nothing is started for it but programs that print their version. */
export interface BackendLook {
  /** Programs with their versions and settings of the kernel: what is there, what is missing, and how to fix that. */
  readonly checks: readonly Check[]
  /** How each limit would be held here. */
  readonly limits: readonly Pick<LimitInForce, 'limit' | 'mechanism' | 'gap'>[]
  /** The egress policies, and why some cannot be enforced here. */
  readonly egress: readonly (Omit<Check, 'name'> & { readonly modes: readonly EgressPolicy['mode'][] })[]
  /** Whether a cell can have a terminal of its own. */
  readonly terminal: boolean
  /** Whether ports of a cell can be published. */
  readonly publish: boolean
}
