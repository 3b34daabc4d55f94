/** The end of a participant's or judge's run. */
export interface Outcome {
  readonly kind: string
  readonly message: string | null
  readonly hint: string | null
}

interface Run {
  readonly state: string
  readonly attempt: number
  readonly outcome: Outcome | null
  readonly durationMs: number | null
  readonly costUsd: number | null
}

/** The progress of a contest, from `paddock contest status --json`. Scores are not included. */
export interface Status {
  readonly contest: string
  readonly round: number
  readonly judging: number
  readonly participants: Readonly<Record<string, Run>>
  readonly judges: Readonly<Record<string, Run>>
  readonly tasks: readonly (Run & { readonly judge: string; readonly id: string })[]
  /** False if no process works on the contest, so that runs with the state `running` were interrupted. */
  readonly atWork: boolean
}

export const isEndedTask = ({ state }: Run): boolean => state === 'scored' || state === 'failed'

/** Returns the name of a run's state. */
export function stateWord(state: string, atWork: boolean): string {
  return state === 'running' && !atWork ? 'interrupted' : state
}
