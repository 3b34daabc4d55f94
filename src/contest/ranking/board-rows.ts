import type { Ranked, Summary } from './contest-summary.ts'

/** Returns the rows of a ranking that is shown next to the one that counts. */
export function boardRows(
  placed: readonly Pick<Ranked, 'name' | 'rank' | 'score' | 'interval' | 'strength'>[],
): Summary['boards'][number]['rows'] {
  return placed.map(({ name, rank, score, interval, strength }) => ({ name, rank, score, interval, ranks: strength?.ranks ?? null }))
}
