import type { NotRanked, Ranked, Summary } from '../report/summary.ts'
import { isFailureToRun } from '../run/outcome.ts'
import { certaintyOf, type Judged } from './certainty.ts'
import type { Compared } from './pairs.ts'
import { ranked } from './rank.ts'
import { totalScore } from './score.ts'

type Board = Summary['boards'][number]

/** What all judges gave, before anybody is left out. */
interface Given {
  readonly brief: string
  readonly rows: readonly Judged[]
  readonly compared: readonly Compared[]
}

/** Who counts for whom. */
export type Counts = (judge: string, participant: string) => boolean

/** Returns what counts of what judges gave. */
export function counted<T extends Judged>(rows: readonly T[], compared: readonly Compared[], counts: Counts) {
  return {
    rows: rows.map((row) => ({ ...row, judgements: row.judgements.filter(({ judge }) => counts(judge, row.name)) })),
    compared: compared.filter(({ judge, a, b }) => counts(judge, a) && counts(judge, b)),
  }
}

/** Returns the rankings that are shown beside the one that counts, of those that differ from it in what they are made of. */
export function boardsOf(
  given: Given,
  notRanked: readonly NotRanked[],
  { failed, isKin }: { readonly failed: ReadonlySet<string>; readonly isKin: Counts },
): Board[] {
  const passed: Counts = (judge) => !failed.has(judge)
  const { rows, compared } = counted(given.rows, given.compared, passed)
  const boards: Board[] = []
  if (failed.size > 0) boards.push(board('all-judges', given))
  const isAnyKin = rows.some(({ name, judgements }) => judgements.some(({ judge }) => isKin(judge, name)))
  const isAnyKinCompared = compared.some(({ judge, a, b }) => isKin(judge, a) || isKin(judge, b))
  if (isAnyKin || isAnyKinCompared)
    boards.push(board('without-kin', { ...given, ...counted(rows, compared, (judge, participant) => !isKin(judge, participant)) }))
  const losers = notRanked.filter(isOwnFault)
  const judges = new Set([...rows.flatMap(({ judgements }) => judgements.map(({ judge }) => judge)), ...compared.map(({ judge }) => judge)])
  if (losers.length > 0 && judges.size > 0) boards.push(board('own-faults-lose', withLosers({ ...given, rows, compared }, losers, judges)))
  return boards
}

/** Own are what the work lacks, its size and its time; never a limit of somebody's service, a login or a crash. */
function isOwnFault({ outcome }: NotRanked): boolean {
  if (outcome === null) return false
  return !isFailureToRun(outcome) || outcome.kind === 'out-of-time'
}

/** They have no points with any judge, and lose every comparison. */
function withLosers({ brief, rows, compared }: Given, losers: readonly NotRanked[], judges: ReadonlySet<string>): Given {
  const isByPairs = compared.length > 0
  const given = (judge: string): Judged['judgements'][number] => ({
    judge,
    label: '',
    dimensions: {},
    score: 0,
    review: null,
    citations: [],
  })
  const lost = { shownFirst: 0, shownSecond: 0 }
  return {
    brief,
    rows: [
      ...rows,
      ...losers.map(({ name, costUsd }) => ({ name, costUsd, score: 0, judgements: isByPairs ? [] : [...judges].map(given) })),
    ],
    compared: isByPairs
      ? [
          ...compared,
          ...[...judges].flatMap((judge) =>
            losers.flatMap(({ name: a }) => rows.map(({ name: b }) => ({ judge, a, b, orders: lost, score: 0 }))),
          ),
        ]
      : [],
  }
}

function board(id: Board['id'], { brief, rows, compared }: Given): Board {
  const own = rows.map((row) => ({ ...row, score: totalScore(row.judgements) }))
  const certainty = certaintyOf(brief, own, compared)
  const unknown = { interval: null, strength: null }
  const placed = ranked(own.map(({ name, score }) => ({ name, score, ...unknown, ...certainty?.standings.get(name) })))
  return {
    id,
    rows: placed.map(({ name, rank, score, interval, strength }: Pick<Ranked, 'name' | 'rank' | 'score' | 'interval' | 'strength'>) => ({
      name,
      rank,
      score,
      interval,
      ranks: strength?.ranks ?? null,
    })),
  }
}
