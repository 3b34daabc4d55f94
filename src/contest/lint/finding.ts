/** A finding about a contest before it costs money. */
export interface Finding {
  /** `fault`: its result would not be credible. `advice`: its result could be more meaningful. */
  readonly level: 'fault' | 'advice'
  /** The key of contest.yaml that it is about. */
  readonly key: string
  /** One sentence, after the key. */
  readonly message: string
}
