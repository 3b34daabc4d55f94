import type { EgressPolicy } from '../egress/policy/policy.ts'
import type { ProbeBench } from './probe/bench.ts'

/** What a probe saw. `evidence` is one sentence that says what was tried and what came of it, or what could not be tried. */
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

/** One promise of Paddock, with what tries to break it. No other claim about security is made anywhere. */
export interface Guarantee {
  /** Stable: the anchor in docs/GUARANTEES.md, and what other texts refer to. Lower-case words with hyphens. */
  readonly id: string
  readonly chapter: Chapter
  /** One sentence, in the present tense, about what cannot happen. */
  readonly claim: string
  /** What makes it so. */
  readonly mechanism: string
  /** Structural: what is attacked is not there. Policy: it is there, and a rule says no. */
  readonly kind: 'structural' | 'policy'
  /** Why the mechanism is enough for the claim. */
  readonly why: string
  /** How it can fail all the same. */
  readonly fails: readonly string[]
  /** The egress policies under which it is promised; absent: all. */
  readonly under?: readonly EgressPolicy['mode'][]
  /** Tries to break it, in real cells. Whatever it throws counts as broken: a probe that did not run has shown nothing. */
  readonly probe: (bench: ProbeBench) => Promise<Finding>
}

export const held = (evidence: string): Finding => ({ status: 'held', evidence })
export const broken = (evidence: string): Finding => ({ status: 'broken', evidence })
export const unenforceable = (evidence: string): Finding => ({ status: 'unenforceable', evidence })
