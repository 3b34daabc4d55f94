import type { Ranked } from '../report/summary.ts'
import type { Compared } from './pairs.ts'

/** What judges gave for one submission. */
export interface Judged {
  readonly name: string
  readonly judgements: readonly Pick<Ranked['judgements'][number], 'judge' | 'dimensions' | 'score'>[]
}

/** The work of all participants at one brief, once, and what judges gave for it. A contest is one; a suite has one for each brief and repeat. */
export interface Work {
  /** Works at the same brief depend on each other. */
  readonly brief: string
  readonly rows: readonly Judged[]
  readonly compared: readonly Compared[]
  /** How long each submission is, one number for each of `traits` in style-board.ts; nobody of whom that is not known. */
  readonly sizes: ReadonlyMap<string, readonly number[]>
  /** Who did not deliver by their own fault. */
  readonly losers: readonly string[]
}

/** A participant over all works. */
export interface Competitor {
  readonly name: string
  /** 0…100, as it is ranked by. */
  readonly score: number | null
  readonly costUsd: number | null
}

/** Who counts for whom. */
export type Counts = (judge: string, participant: string) => boolean

/** Returns a work with what counts of what judges gave. */
export function counted(work: Work, counts: Counts): Work {
  return {
    ...work,
    rows: work.rows.map((row) => ({ ...row, judgements: row.judgements.filter(({ judge }) => counts(judge, row.name)) })),
    compared: work.compared.filter(({ judge, a, b }) => counts(judge, a) && counts(judge, b)),
  }
}

/** Returns whether a judge gave anything. */
export function isJudged({ rows, compared }: Work): boolean {
  return compared.length > 0 || rows.some(({ judgements }) => judgements.length > 0)
}

/** Returns everybody in these works that a judge gave something, in the order of `names`. */
export function judgedIn(works: readonly Work[], names: readonly string[]): string[] {
  const isByPairs = works.some(({ compared }) => compared.length > 0)
  const found = new Set(
    works.flatMap(({ rows, compared }) =>
      isByPairs ? compared.flatMap(({ a, b }) => [a, b]) : rows.filter(({ judgements }) => judgements.length > 0).map(({ name }) => name),
    ),
  )
  return names.filter((name) => found.has(name))
}
