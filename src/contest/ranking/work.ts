import type { Compared } from './compared-pairs.ts'
import type { Ranked } from './contest-summary.ts'

/** The judges' scores for one submission. */
export interface Judged {
  readonly name: string
  readonly judgements: readonly Pick<Ranked['judgements'][number], 'judge' | 'dimensions' | 'score'>[]
}

/**
 * The work of all participants for one brief, once, with the judges' answers. A contest has one; a suite has one for each brief and repeat.
 */
export interface Work {
  /** The brief. Works for the same brief depend on each other. */
  readonly brief: string
  readonly rows: readonly Judged[]
  readonly compared: readonly Compared[]
  /** The size of each submission, one number for each of `traits` in style-board.ts. Submissions of unknown size are absent. */
  readonly sizes: ReadonlyMap<string, readonly number[]>
  /** The participants that did not deliver through their own fault. */
  readonly losers: readonly string[]
}

/** A participant, over all works. */
export interface Competitor {
  readonly name: string
  /** The score that the participant is ranked by, from 0 to 100. */
  readonly score: number | null
  readonly costUsd: number | null
}

/** Returns whether a judge's answers about a participant count. */
export type Counts = (judge: string, participant: string) => boolean

/** Returns a work with only the judgements that count. */
export function counted(work: Work, counts: Counts): Work {
  return {
    ...work,
    rows: work.rows.map((row) => ({ ...row, judgements: row.judgements.filter(({ judge }) => counts(judge, row.name)) })),
    compared: work.compared.filter(({ judge, a, b }) => counts(judge, a) && counts(judge, b)),
  }
}

/** Returns whether a judge scored or compared anything. */
export function isJudged({ rows, compared }: Work): boolean {
  return compared.length > 0 || rows.some(({ judgements }) => judgements.length > 0)
}

/** Returns whether judges compared pairs in any of these works. A suite has only one mode. */
export function isByPairs(works: readonly Work[]): boolean {
  return works.some(({ compared }) => compared.length > 0)
}

/** Returns every participant that was judged in these works, in the order of `names`. */
export function judgedIn(works: readonly Work[], names: readonly string[]): string[] {
  const byPairs = isByPairs(works)
  const found = new Set(
    works.flatMap(({ rows, compared }) =>
      byPairs ? compared.flatMap(({ a, b }) => [a, b]) : rows.filter(({ judgements }) => judgements.length > 0).map(({ name }) => name),
    ),
  )
  return names.filter((name) => found.has(name))
}
