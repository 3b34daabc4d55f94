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

/** What a judge gave in one task by the rubric, and where in its order it saw the submission: from 0 (first) to 1 (last). */
export interface Placed extends Omit<Rating, 'judge'> {
  readonly task: string
  readonly position: number
}

/** Everything that a report card is made of. */
export interface Evidence {
  readonly judge: string
  /** Of all judges. */
  readonly ratings: readonly Rating[]
  /** Of this judge. */
  readonly placed: readonly Placed[]
  /** Of this judge: its pairs. */
  readonly pairs: readonly BothOrders[]
  /** Whether a participant shares a family with this judge. */
  isOwn(participant: string): boolean
  readonly stood: Stood
}

/** What a judge can be caught by: a number that would be zero for a fair one, or a control that it failed. */
export type Fault = 'position' | 'order' | 'own-family' | 'severity' | 'spread' | 'planted' | 'empty'

/** What is known of a judge. Points are of 100; null: nothing tells. */
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

/** Returns the controls that a judge failed: who fails one is left out of the verdict. */
export function failedOf({ obeys, praisesEmpty }: Stood): Extract<Fault, 'planted' | 'empty'>[] {
  return [...(obeys === true ? (['planted'] as const) : []), ...(praisesEmpty === true ? (['empty'] as const) : [])]
}

function testOf(name: Fault, mean: Mean | null): CardTest<Fault>[] {
  return mean?.interval ? [{ name, p: mean.interval.p }] : []
}

/** Deviations of single tasks: each task is looked at by itself, as its order is its own. */
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
