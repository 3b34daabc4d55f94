import { isFailureToRun } from '../state/participant-outcome.ts'
import { certaintyOf } from './certainty.ts'
import type { NotRanked, Ranked, Summary } from './contest-summary.ts'
import { ranked } from './rank.ts'
import { totalScore } from './score.ts'
import { styleBoard } from './style-board.ts'
import { type Competitor, type Counts, counted, type Work } from './work.ts'

type Board = Summary['boards'][number]
type Costs = readonly Omit<Competitor, 'score'>[]

/**
 * Returns the rankings that are shown next to the one that counts, if they have a different basis. `works` has the answers of all judges,
 * before any judge is left out. `costs` has every participant that is or could have been ranked.
 */
export function boardsOf(
  works: readonly Work[],
  costs: Costs,
  { failed, isKin }: { readonly failed: ReadonlySet<string>; readonly isKin: Counts },
): Board[] {
  const fair = works.map((work) => counted(work, (judge) => !failed.has(judge)))
  const boards: Board[] = []
  if (failed.size > 0) boards.push(board('all-judges', works, costs))
  const isAnyKin = fair.some(
    ({ rows, compared }) =>
      rows.some(({ name, judgements }) => judgements.some(({ judge }) => isKin(judge, name))) ||
      compared.some(({ judge, a, b }) => isKin(judge, a) || isKin(judge, b)),
  )
  if (isAnyKin)
    boards.push(
      board(
        'without-kin',
        fair.map((work) => counted(work, (judge, participant) => !isKin(judge, participant))),
        costs,
      ),
    )
  const style = styleBoard(fair, costs)
  if (style !== null) boards.push(style)
  const judges = new Set(fair.flatMap(judgesIn))
  if (judges.size > 0 && fair.some(({ losers }) => losers.length > 0)) boards.push(board('own-faults-lose', fair.map(withLosers), costs))
  return boards
}

/**
 * Returns true if a failure is the participant's own fault: missing work, its size or its time, but not a usage limit, an unresponsive
 * service, a login or a crash.
 */
export function isOwnFault({ outcome }: Pick<NotRanked, 'outcome'>): boolean {
  if (outcome === null) return false
  return !isFailureToRun(outcome) || (outcome.kind === 'out-of-time' && outcome.isUnanswered !== true)
}

function judgesIn({ rows, compared }: Work): string[] {
  return [...rows.flatMap(({ judgements }) => judgements.map(({ judge }) => judge)), ...compared.map(({ judge }) => judge)]
}

/** Returns a work in which losers get zero points from every judge and lose every comparison. */
function withLosers(work: Work): Work {
  const { rows, compared, losers } = work
  const judges = [...new Set(judgesIn(work))]
  const isByPairs = compared.length > 0
  const lost = { shownFirst: 0, shownSecond: 0 }
  return {
    ...work,
    rows: [
      ...rows,
      ...losers.map((name) => ({ name, judgements: isByPairs ? [] : judges.map((judge) => ({ judge, dimensions: {}, score: 0 })) })),
    ],
    compared: isByPairs
      ? [
          ...compared,
          ...judges.flatMap((judge) => losers.flatMap((a) => rows.map(({ name: b }) => ({ judge, a, b, orders: lost, score: 0 })))),
        ]
      : [],
  }
}

/** Returns the mean of the judges' scores for each participant, over all works. */
export function scored(works: readonly Work[], costs: Costs): Competitor[] {
  return costs.map((each) => ({
    ...each,
    score: totalScore(works.flatMap(({ rows }) => rows.flatMap(({ name, judgements }) => (name === each.name ? judgements : [])))),
  }))
}

function board(id: Board['id'], works: readonly Work[], costs: Costs): Board {
  const present = new Set(works.flatMap(({ rows }) => rows.map(({ name }) => name)))
  const own = scored(works, costs).filter(({ name }) => present.has(name))
  const certainty = certaintyOf(works, own)
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
    style: [],
  }
}
