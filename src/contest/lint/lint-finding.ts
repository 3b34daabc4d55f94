/** A finding about a contest, made before the contest costs money. */
export interface Finding {
  /** `fault`: the result of the contest would not be credible. `advice`: the result could be more meaningful. */
  readonly level: 'fault' | 'advice'
  /** The key of contest.yaml that the finding is about. */
  readonly key: string
  /** One sentence, which follows the key. */
  readonly message: string
}
