import type { components } from '../../../src/client/api.ts'

/** The progress of a contest. Scores are not included. */
export type Status = components['schemas']['ContestStanding']

export const isEndedTask = ({ state }: Pick<Status['tasks'][number], 'state'>): boolean => state === 'scored' || state === 'failed'

/** Returns the name of a run's state. */
export function stateWord(state: string, atWork: boolean): string {
  return state === 'running' && !atWork ? 'interrupted' : state
}
