import { isFailureToRun } from '../state/participant-outcome.ts'
import { boardRows } from './board-rows.ts'
import { certaintyOf } from './certainty.ts'
import type { NotRanked, Summary } from './contest-summary.ts'
import { ranked } from './rank.ts'
import { totalScore } from './score.ts'
import { styleBoard } from './style-board.ts'
import { type Competitor, type Counts, counted, isByPairs, type Work } from './work.ts'

type Board = Summary['boards'][number]
type Costs = readonly Omit<Competitor, 'score'>[]
/** What the ranking that counts is about: delivering, where not delivering through one's own fault loses, or only what was delivered. */
export type WhatCounts = 'delivered' | 'strength'

/**
 * Returns the rankings that are shown next to the one that counts, if they have a different basis. `works` has the answers of all judges,
 * before any judge is left out. `costs` has every participant that is or could have been ranked. `what` is what the ranking that counts is
 * about.
 */
export function boardsOf(
  works: readonly Work[],
  costs: Costs,
  { failed, isKin, what }: { readonly failed: ReadonlySet<string>; readonly isKin: Counts; readonly what: WhatCounts },
): Board[] {
  const fair = works.map((work) => counted(work, (judge) => !failed.has(judge)))
  const boards: Board[] = []
  if (failed.size > 0) boards.push(board('all-judges', asCounted(works, what), costs))
  const isAnyKin = fair.some(
    ({ rows, compared }) =>
      rows.some(({ name, judgements }) => judgements.some(({ judge }) => isKin(judge, name))) ||
      compared.some(({ judge, a, b }) => isKin(judge, a) || isKin(judge, b)),
  )
  if (isAnyKin)
    boards.push(
      board(
        'without-kin',
        asCounted(
          fair.map((work) => counted(work, (judge, participant) => !isKin(judge, participant))),
          what,
        ),
        costs,
      ),
    )
  const style = styleBoard(fair, costs)
  if (style !== null) boards.push(style)
  if (fair.some((work) => judgesIn(work).length > 0) && fair.some(({ losers }) => losers.length > 0)) {
    const other = what === 'delivered' ? 'strength' : 'delivered'
    boards.push(board(other, asCounted(fair, other), costs))
  }
  return boards
}

/**
 * Returns true if a failure is the participant's own fault: missing work, its size or its time, but not a usage limit, an unresponsive
 * service, a login or a crash. Work that has not been sealed yet has not failed.
 */
export function isOwnFault({ outcome }: Pick<NotRanked, 'outcome'>): boolean {
  if (outcome === null || outcome.kind === 'ran') return false
  return !isFailureToRun(outcome) || (outcome.kind === 'out-of-time' && outcome.isUnanswered !== true)
}

function judgesIn({ rows, compared }: Work): string[] {
  return [...rows.flatMap(({ judgements }) => judgements.map(({ judge }) => judge)), ...compared.map(({ judge }) => judge)]
}

/**
 * Returns works as they are for `strength`. For `delivered`, losers get zero points from every judge of the work, or lose, by pairs, to
 * everyone that delivered, once for each judge of any work, also where judges had nothing to compare.
 */
export function asCounted(works: readonly Work[], what: WhatCounts): readonly Work[] {
  if (what === 'strength') return works
  const all = [...new Set(works.flatMap(judgesIn))]
  const lost = { shownFirst: 0, shownSecond: 0 }
  if (isByPairs(works))
    return works.map((work) => ({
      ...work,
      compared: [
        ...work.compared,
        ...all.flatMap((judge) => work.losers.flatMap((a) => work.rows.map(({ name: b }) => ({ judge, a, b, orders: lost, score: 0 })))),
      ],
    }))
  return works.map((work) => {
    const own = [...new Set(judgesIn(work))]
    return {
      ...work,
      rows: [...work.rows, ...work.losers.map((name) => ({ name, judgements: own.map((judge) => ({ judge, dimensions: {}, score: 0 })) }))],
    }
  })
}

/** Returns the mean of the judges' scores for each participant, over all works. */
export function scored(works: readonly Work[], costs: Costs): Competitor[] {
  return costs.map((each) => ({
    ...each,
    score: totalScore(works.flatMap(({ rows }) => rows.flatMap(({ name, judgements }) => (name === each.name ? judgements : [])))),
  }))
}

function board(id: Board['id'], works: readonly Work[], costs: Costs): Board {
  const present = new Set(works.flatMap(({ rows, losers }) => [...rows.map(({ name }) => name), ...losers]))
  const own = scored(works, costs).filter(({ name }) => present.has(name))
  const certainty = certaintyOf(works, own)
  const placed = ranked(
    own.map(({ name, score }) => ({ name, score })),
    certainty,
  )
  return { id, front: certainty?.verdict.front ?? [], rows: boardRows(placed), style: [] }
}
