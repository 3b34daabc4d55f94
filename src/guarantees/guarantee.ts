import type { Posture } from '../base/posture.ts'
import type { EgressPolicy } from '../egress/policy/egress-policy.ts'
import type { ProbeBench } from './probe/bench.ts'

/** The result of a probe. `evidence` is one sentence that says what was tried and the outcome, or why it could not be tried. */
export interface Finding {
  readonly status: 'held' | 'broken' | 'unenforceable'
  readonly evidence: string
}

/** The chapter of a guarantee in the documents. */
export type Chapter =
  | 'files'
  | 'later'
  | 'environment'
  | 'processes'
  | 'network'
  | 'names'
  | 'requests'
  | 'credentials'
  | 'kernel'
  | 'limits'
  | 'endings'
  | 'terminal'
  | 'contests'
  | 'audit'
  | 'trust'
  | 'fleet'

/** One promise of Paddock, with a probe that tries to break it. Paddock does not make any other security claims. */
export interface Guarantee {
  /** A stable id, which is the anchor in docs/GUARANTEES.md. Lower-case words with hyphens. */
  readonly id: string
  readonly chapter: Chapter
  /** One sentence, in the present tense, about something that cannot happen. */
  readonly claim: string
  /** The mechanism that ensures the claim. */
  readonly mechanism: string
  /** `structural`: the target of an attack does not exist. `policy`: the target exists, and a rule denies access to it. */
  readonly kind: 'structural' | 'policy'
  /** The reason why the mechanism is enough for the claim. */
  readonly why: string
  /** The ways in which the guarantee can still fail. */
  readonly fails: readonly string[]
  /** The egress modes under which the guarantee holds. Default: all. */
  readonly under?: readonly EgressPolicy['mode'][]
  /** The isolation levels at which the guarantee is not promised, because its target exists there. Default: none. */
  readonly notAt?: readonly Posture[]
  /** Tries to break the guarantee in real cells. Any exception counts as broken, because a probe that did not run is inconclusive. */
  readonly probe: (bench: ProbeBench) => Promise<Finding>
}

export const held = (evidence: string): Finding => ({ status: 'held', evidence })
export const broken = (evidence: string): Finding => ({ status: 'broken', evidence })
export const unenforceable = (evidence: string): Finding => ({ status: 'unenforceable', evidence })
