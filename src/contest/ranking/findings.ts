import type { CheckResult } from '../checks/result.ts'
import type { ContestConfig } from '../config/schema.ts'
import type { FoundCitation } from '../judging/citations.ts'
import type { IdentityRecord } from '../judging/identity/record.ts'
import type { Task } from '../judging/mapping.ts'
import type { Scores } from '../judging/scores.ts'
import type { Denied, Pair, Summary } from '../report/summary.ts'
import type { Seal } from '../seal/seal-schema.ts'
import type { Given } from '../state/given.ts'
import type { Role } from '../state/progress.ts'
import type { ContestStatus, TaskStatus } from '../state/status.ts'
import type { BothOrders } from './cards/position.ts'

/** Everything that a report is made of. */
export interface Findings {
  readonly config: ContestConfig
  readonly status: ContestStatus
  /** By participant. */
  readonly seals: ReadonlyMap<string, Seal>
  readonly checks: ReadonlyMap<string, readonly CheckResult[]>
  /** What judges gave by the rubric in the judging that counts, a judge's first answer first. */
  readonly answers: readonly RubricAnswer[]
  /** What judges found of two, of the same judging. */
  readonly pairs: readonly Pair[]
  readonly controls: readonly Control[]
  /** What you found of two in this round, and how often you are asked; null: you judged nothing. */
  readonly yours: { readonly pairs: readonly Pair[]; readonly of: number } | null
  /** Of each judge, in the tasks that count. */
  readonly citations: ReadonlyMap<string, readonly FoundCitation[]>
  /** The names that reveal whose a submission is, and where they were found. Null if nobody looked. */
  readonly identity: { readonly words: RegExp | null; readonly record: IdentityRecord | null }
  /** In which order judges saw submissions. */
  readonly orders: Summary['orders']
  /** What cells were kept from, by participant and by judge. */
  readonly denied: Readonly<Record<Exclude<Role, 'reviewer'>, ReadonlyMap<string, Denied>>>
  readonly judging: CountedJudging
  /** What the contest gives to participants and judges now. */
  readonly given: { readonly participant: Given; readonly judge: Given }
}

/** What a judge gave by the rubric in one task. */
export interface RubricAnswer {
  readonly judge: string
  /** label → participant, of this task. */
  readonly labels: Readonly<Record<string, string>>
  /** The labels as it looked at them. */
  readonly order: readonly string[]
  readonly scores: Scores
  /** Its review.md. */
  readonly review: string | null
  readonly citations: readonly FoundCitation[]
}

type Altered = Task['altered'][string]

/** What a judge gave in a task that tries it: by the rubric, or of two. */
export type Control =
  | (Pick<RubricAnswer, 'judge' | 'labels' | 'scores'> & { readonly kind: 'rubric'; readonly altered: Readonly<Record<string, Altered>> })
  | {
      readonly kind: 'pair'
      readonly judge: string
      readonly altered: Altered /** Seen from the altered one. */
      readonly orders: BothOrders
    }

interface CountedJudging {
  /** Of the judging that counts; 0: none. */
  readonly number: number
  /** How its tasks ended. */
  readonly tasks: readonly TaskStatus[]
  /** The newest judging, if that is not complete. */
  readonly unfinished: number | null
}
