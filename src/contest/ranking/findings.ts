import type { ContestConfig } from '../config/contest-schema.ts'
import type { FoundCitation } from '../judging/citations.ts'
import type { IdentityRecord } from '../judging/identity/identity-record.ts'
import type { Task } from '../judging/mapping.ts'
import type { OrdersRecord } from '../judging/orders/orders-record.ts'
import type { Scores } from '../judging/scores.ts'
import type { Seal } from '../seal/seal-schema.ts'
import type { CheckResult } from '../state/check-result.ts'
import type { ContestStatus, TaskStatus } from '../state/contest-state.ts'
import type { Given } from '../state/given.ts'
import type { Role } from '../state/progress.ts'
import type { BothOrders } from './cards/position.ts'
import type { Denied, Pair, Summary } from './contest-summary.ts'

/** The data for a report. */
export interface Findings {
  readonly config: ContestConfig
  readonly status: ContestStatus
  /** The seals by participant. */
  readonly seals: ReadonlyMap<string, Seal>
  readonly checks: ReadonlyMap<string, readonly CheckResult[]>
  /** The judges' answers by the rubric in the judging that counts, in the order in which each judge gave them. */
  readonly answers: readonly RubricAnswer[]
  /** The judges' verdicts on pairs in the judging that counts. */
  readonly pairs: readonly Pair[]
  readonly controls: readonly Control[]
  /** Your verdicts on pairs in this round, and the number of questions; null: you judged nothing. */
  readonly yours: { readonly pairs: readonly Pair[]; readonly of: number } | null
  /** The citations of each judge, from the tasks that count. */
  readonly citations: ReadonlyMap<string, readonly FoundCitation[]>
  /** A pattern for names that reveal whose a submission is, and the places where they were found. Null if there was no search. */
  readonly identity: { readonly words: RegExp | null; readonly record: IdentityRecord | null }
  /** Orders to the judge that were found in submissions; null: there was no search. */
  readonly ordersToJudges: OrdersRecord | null
  /** The answers to the same submissions before the lines with orders were emptied; null: none were emptied, or nothing is left of them. */
  readonly withOrders: EarlierAnswers | null
  /** The orders in which judges saw submissions. */
  readonly orders: Summary['orders']
  /** Hosts that were denied to cells, by participant and by judge. */
  readonly denied: Readonly<Record<Exclude<Role, 'reviewer'>, ReadonlyMap<string, Denied>>>
  readonly judging: CountedJudging
  /** The current texts of the contest for participants and judges. */
  readonly given: { readonly participant: Given; readonly judge: Given }
}

/** The answers of the judges that answered everything in an earlier judging. */
export interface EarlierAnswers extends Pick<Findings, 'answers' | 'pairs'> {
  readonly judging: number
}

/** A judge's answer by the rubric in one task. */
export interface RubricAnswer {
  readonly judge: string
  /** The labels in this task: label → participant. */
  readonly labels: Readonly<Record<string, string>>
  /** The labels in the order in which the judge saw them. */
  readonly order: readonly string[]
  readonly scores: Scores
  /** The text of the judge's review.md. */
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
  /** The number of the judging that counts; 0: nothing was judged. */
  readonly number: number
  /** The status of the tasks in this judging. */
  readonly tasks: readonly TaskStatus[]
  /** The number of the newest judging, if that judging is not complete. */
  readonly unfinished: number | null
}
