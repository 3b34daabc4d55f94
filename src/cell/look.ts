import type { EgressPolicy } from '../egress/policy/policy.ts'
import type { LimitInForce } from './plan/limits.ts'

/** One requirement of cells on this machine. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  /** The finding, as a phrase. */
  readonly detail: string
  /** How to fix it, as an imperative. */
  readonly hint?: string
}

/** The findings of a backend on this machine. The only programs it starts for this are those that print their version. */
export interface BackendLook {
  /** Program versions and kernel settings: what is present, what is missing, and how to fix that. */
  readonly checks: readonly Check[]
  /** How each limit would be held here. */
  readonly limits: readonly Pick<LimitInForce, 'limit' | 'mechanism' | 'gap'>[]
  /** The egress policies, and why some cannot be enforced here. */
  readonly egress: readonly (Omit<Check, 'name'> & { readonly modes: readonly EgressPolicy['mode'][] })[]
  /** True if a cell can have its own terminal. */
  readonly terminal: boolean
  /** True if ports of a cell can be published. */
  readonly publish: boolean
}
