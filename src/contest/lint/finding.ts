/** What is to be said of a contest before it costs money. */
export interface Finding {
  /** `fault`: its result could not be believed. `advice`: it would be worth more. */
  readonly level: 'fault' | 'advice'
  /** The key of contest.yaml that it is about. */
  readonly key: string
  /** One sentence, after the key. */
  readonly message: string
}
