import type { EgressPolicy } from '../egress/policy/policy.ts'
import type { ProbeBench } from './probe/bench.ts'

/** The result of a probe. `evidence` is one sentence that says what was tried and what happened, or what could not be tried. */
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

/** One promise of Paddock, with a probe that tries to break it. No other security claim is made anywhere. */
export interface Guarantee {
  /** Stable: the anchor in docs/GUARANTEES.md, used in references. Lower-case words with hyphens. */
  readonly id: string
  readonly chapter: Chapter
  /** One sentence, in the present tense, about what cannot happen. */
  readonly claim: string
  /** The mechanism that ensures it. */
  readonly mechanism: string
  /** Structural: the target of an attack does not exist. Policy: it exists, and a rule denies access. */
  readonly kind: 'structural' | 'policy'
  /** Why the mechanism is enough for the claim. */
  readonly why: string
  /** The ways in which it can still fail. */
  readonly fails: readonly string[]
  /** The egress policies under which it is promised. If absent, all. */
  readonly under?: readonly EgressPolicy['mode'][]
  /** Tries to break it, in real cells. Any exception counts as broken, because a probe that did not run has shown nothing. */
  readonly probe: (bench: ProbeBench) => Promise<Finding>
}

export const held = (evidence: string): Finding => ({ status: 'held', evidence })
export const broken = (evidence: string): Finding => ({ status: 'broken', evidence })
export const unenforceable = (evidence: string): Finding => ({ status: 'unenforceable', evidence })
