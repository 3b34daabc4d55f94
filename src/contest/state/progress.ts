import type { AgentEvent } from '../../adapters/output/events.ts'
import type { Outcome } from '../run/outcome.ts'

export type Role = 'participant' | 'judge' | 'reviewer'

/** Which of its tasks a judge is at, if it has several. Nothing of it tells what it sees. */
export interface OfTask {
  readonly task?: {
    readonly id: string
    /** How many it has, and how many of them it has answered. */
    readonly of: number
    readonly answered: number
  }
}

/** What happens while a contest goes on, for whoever shows it. Nothing here tells which label is whose. */
export type ContestEvent =
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'step'; readonly step: 'participants' | 'checks' | 'judges' | 'report'; readonly total: number; readonly open: number }
  | ({ readonly type: 'started'; readonly role: Role; readonly name: string; readonly attempt: number } & OfTask)
  /** One thing that an agent said or did. Many of these. */
  | ({ readonly type: 'agent'; readonly role: Role; readonly name: string; readonly event: AgentEvent } & OfTask)
  | ({
      readonly type: 'ended'
      readonly role: Role
      readonly name: string
      readonly outcome: Outcome
      readonly durationMs: number
    } & OfTask)
  | {
      readonly type: 'sealed'
      readonly name: string
      readonly outcome: Outcome
      readonly files: number
      readonly bytes: number
      readonly dropped: number
    }
  /** It is not run: its work of an earlier round counts. */
  | { readonly type: 'carried'; readonly name: string; readonly round: number }
  | {
      readonly type: 'checked'
      readonly name: string
      readonly check: string
      readonly result: string
      readonly why: string | null
      readonly durationMs: number
    }
  /** It is run again then: milliseconds since the epoch. */
  | { readonly type: 'waits'; readonly role: Role; readonly name: string; readonly until: number }
  | { readonly type: 'repair'; readonly name: string; readonly problem: string }
  | ({ readonly type: 'scored'; readonly name: string } & OfTask)
  /** What a reviewer wrote of somebody's work; `why`: why there is nothing. */
  | ({ readonly type: 'reviewed'; readonly name: string; readonly why: string | null } & OfTask)
  | ({ readonly type: 'judge-failed'; readonly name: string; readonly message: string } & OfTask)
  | { readonly type: 'reported'; readonly leaderboard: string; readonly html: string; readonly summary: string }

/** What also goes into events.jsonl: everything but what agents say, which their own transcripts hold. */
export type RecordedEvent = Exclude<ContestEvent, { readonly type: 'agent' }>
