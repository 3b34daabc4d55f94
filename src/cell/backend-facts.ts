import { messageOf, PaddockError } from '../base/errors.ts'
import { FixableError, type Remedy } from '../base/fixable-error.ts'
import type { EgressPolicy } from '../egress/policy/egress-policy.ts'
import type { LimitInForce } from './plan/cell-limits.ts'

/** The result of one check of this machine's support for cells. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  /** The result, as a phrase. */
  readonly detail: string
  /** A way to fix the problem, as an imperative. */
  readonly hint?: string
  /** The changes of this machine that fix the problem, if Paddock knows them. */
  readonly remedies?: readonly Remedy[]
}

/** Returns the result of a check that failed with this error. */
export function failedCheck(error: unknown): Pick<Check, 'detail' | 'hint' | 'remedies'> {
  const hint = error instanceof PaddockError && error.hint !== undefined ? { hint: error.hint } : {}
  return { detail: messageOf(error), ...hint, ...(error instanceof FixableError ? { remedies: error.remedies } : {}) }
}

/** The findings of a backend on this machine. To get them, it starts only programs that print their version. */
export interface BackendLook {
  /** The version that its program prints, such as `bubblewrap 0.8.0`. Absent if there is no such program. */
  readonly version?: string
  /** Results for program versions and kernel settings, with hints to fix what is missing. */
  readonly checks: readonly Check[]
  /** The mechanism that would hold each limit here. */
  readonly limits: readonly Pick<LimitInForce, 'limit' | 'mechanism' | 'gap'>[]
  /** The egress policies, with the reason if one cannot be enforced here. */
  readonly egress: readonly (Omit<Check, 'name'> & { readonly modes: readonly EgressPolicy['mode'][] })[]
  /** True if a cell can have its own terminal. */
  readonly terminal: boolean
  /** True if ports of a cell can be published. */
  readonly publish: boolean
}
