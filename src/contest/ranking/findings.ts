import type { ContestConfig } from '../config/schema.ts'
import type { Scores } from '../judging/scores.ts'
import type { Pair } from '../report/summary.ts'
import type { CheckResult } from '../run/checks.ts'
import type { Seal } from '../seal/seal-schema.ts'
import type { Given } from '../state/given.ts'
import type { ContestStatus, TaskStatus } from '../state/status.ts'

/** Everything that a report is made of. */
export interface Findings {
  readonly config: ContestConfig
  readonly status: ContestStatus
  /** By participant. */
  readonly seals: ReadonlyMap<string, Seal>
  readonly checks: ReadonlyMap<string, readonly CheckResult[]>
  /** By judge; only of judges that scored in the judging that counts. */
  readonly scores: ReadonlyMap<string, Scores>
  /** What judges found of two, of the same judging. */
  readonly pairs: readonly Pair[]
  /** judge → label → participant, of that judging; of what it scored by the rubric. */
  readonly labels: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** By judge: its review.md. */
  readonly reviews: ReadonlyMap<string, string>
  readonly judging: CountedJudging
  /** What the contest gives to participants and judges now. */
  readonly given: { readonly participant: Given; readonly judge: Given }
}

interface CountedJudging {
  /** Of the judging that counts; 0: none. */
  readonly number: number
  /** How its tasks ended. */
  readonly tasks: readonly TaskStatus[]
  /** The newest judging, if that is not complete. */
  readonly unfinished: number | null
}
