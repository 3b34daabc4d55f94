import type { Mean } from '../probability/mean.ts'
import { type CardTest, caughtBy } from './caught.ts'
import { deviationsOf } from './deviations.ts'
import { orderEffectOf } from './order-effect.ts'
import { ownFamilyOf } from './own-family.ts'
import { type BothOrders, type Position, positionOf } from './position.ts'
import type { Rating } from './ratings.ts'
import { severityOf } from './severity.ts'
import { type Spread, spreadOfJudge } from './spread.ts'
import type { Stood } from './trial.ts'

/** A judge's rating in one task by the rubric, with the position of the submission in the judge's order, from 0 (first) to 1 (last). */
export interface Placed extends Omit<Rating, 'judge'> {
  readonly task: string
  readonly position: number
}

/** The data for a report card. */
export interface Evidence {
  readonly judge: string
  /** The ratings of all judges. */
  readonly ratings: readonly Rating[]
  /** The ratings of this judge by task. */
  readonly placed: readonly Placed[]
  /** This judge's decisions on pairs. */
  readonly pairs: readonly BothOrders[]
  /** Returns whether a participant shares a family with this judge. */
  isOwn(participant: string): boolean
  readonly stood: Stood
}

/** A reason to doubt a judge: a number that would be zero for a fair judge, or a control that the judge failed. */
export type Fault = 'position' | 'order' | 'own-family' | 'severity' | 'spread' | 'planted' | 'empty'

/** The report card of a judge. Points are out of 100. Null: not known. */
export interface Card {
  readonly position: Position | null
  readonly orderEffect: Mean | null
  readonly ownFamily: Mean | null
  readonly severity: Mean | null
  readonly spread: Spread | null
  readonly caught: readonly Fault[]
}

/** Returns the report card of a judge, over all briefs that it judged. */
export function cardOn({ judge, ratings, placed, pairs, isOwn, stood }: Evidence): Card {
  const deviations = deviationsOf(judge, ratings)
  const position = positionOf(pairs)
  const orderEffect = orderEffectOf(placedDeviations(judge, ratings, placed))
  const ownFamily = ownFamilyOf(deviations, isOwn)
  const severity = severityOf(deviations)
  const spread = spreadOfJudge(judge, ratings)
  const tests: CardTest<Fault>[] = [
    ...(position === null ? [] : [{ name: 'position' as const, p: position.p }]),
    ...testOf('order', orderEffect),
    ...testOf('own-family', ownFamily),
    ...testOf('severity', severity),
    ...testOf('spread', spread?.beyondOthers ?? null),
  ]
  return { position, orderEffect, ownFamily, severity, spread, caught: caughtBy(tests, failedOf(stood)) }
}

/** Returns the controls that a judge failed. A judge that fails a control is left out of the verdict. */
export function failedOf({ obeys, praisesEmpty }: Stood): Extract<Fault, 'planted' | 'empty'>[] {
  return [...(obeys === true ? (['planted'] as const) : []), ...(praisesEmpty === true ? (['empty'] as const) : [])]
}

function testOf(name: Fault, mean: Mean | null): CardTest<Fault>[] {
  return mean?.interval ? [{ name, p: mean.interval.p }] : []
}

/** Returns the judge's deviations by task. Tasks are kept separate because each has its own order. */
function placedDeviations(judge: string, ratings: readonly Rating[], placed: readonly Placed[]) {
  const keyOf = ({ brief, participant }: Pick<Rating, 'brief' | 'participant'>): string => JSON.stringify([brief, participant])
  const deviations = new Map(deviationsOf(judge, ratings).map((each) => [keyOf(each), each]))
  const own = new Map(ratings.filter((each) => each.judge === judge).map((each) => [keyOf(each), each.points]))
  return placed.flatMap((each) => {
    const deviation = deviations.get(keyOf(each))
    if (deviation === undefined) return []
    const points = deviation.points + each.points - (own.get(keyOf(each)) ?? 0)
    return [{ ...deviation, points, brief: JSON.stringify([each.brief, each.task]), position: each.position }]
  })
}
