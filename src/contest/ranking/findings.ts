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

/** The data that a report is made from. */
export interface Findings {
  readonly config: ContestConfig
  readonly status: ContestStatus
  /** By participant. */
  readonly seals: ReadonlyMap<string, Seal>
  readonly checks: ReadonlyMap<string, readonly CheckResult[]>
  /** The judges' answers by the rubric in the judging that counts, a judge's first answer first. */
  readonly answers: readonly RubricAnswer[]
  /** The judges' verdicts on pairs, in the same judging. */
  readonly pairs: readonly Pair[]
  readonly controls: readonly Control[]
  /** Your verdicts on pairs in this round, and how often you are asked; null: you judged nothing. */
  readonly yours: { readonly pairs: readonly Pair[]; readonly of: number } | null
  /** By judge, from the tasks that count. */
  readonly citations: ReadonlyMap<string, readonly FoundCitation[]>
  /** The names that reveal whose a submission is, and where they were found. Null if there was no search. */
  readonly identity: { readonly words: RegExp | null; readonly record: IdentityRecord | null }
  /** The order in which judges saw submissions. */
  readonly orders: Summary['orders']
  /** Access that was denied to cells, by participant and by judge. */
  readonly denied: Readonly<Record<Exclude<Role, 'reviewer'>, ReadonlyMap<string, Denied>>>
  readonly judging: CountedJudging
  /** The texts that the contest gives to participants and judges now. */
  readonly given: { readonly participant: Given; readonly judge: Given }
}

/** A judge's answer by the rubric in one task. */
export interface RubricAnswer {
  readonly judge: string
  /** label → participant, in this task. */
  readonly labels: Readonly<Record<string, string>>
  /** The labels in the order in which the judge saw them. */
  readonly order: readonly string[]
  readonly scores: Scores
  /** Its review.md. */
  readonly review: string | null
  readonly citations: readonly FoundCitation[]
}

type Altered = Task['altered'][string]

/** A judge's answer in a control task: by the rubric, or on a pair. */
export type Control =
  | (Pick<RubricAnswer, 'judge' | 'labels' | 'scores'> & { readonly kind: 'rubric'; readonly altered: Readonly<Record<string, Altered>> })
  | {
      readonly kind: 'pair'
      readonly judge: string
      readonly altered: Altered /** Seen from the altered one. */
      readonly orders: BothOrders
    }

interface CountedJudging {
  /** The number of the judging that counts; 0: none. */
  readonly number: number
  /** The status of its tasks. */
  readonly tasks: readonly TaskStatus[]
  /** The newest judging, if it is not complete. */
  readonly unfinished: number | null
}
