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

/** The data on one judge for report cards. */
export interface Evidence {
  readonly judge: string
  /** The ratings of this judge by task. */
  readonly placed: readonly Placed[]
  /** This judge's decisions on pairs. */
  readonly pairs: readonly BothOrders[]
  /** Returns whether a participant shares a family with this judge. */
  isOwn(participant: string): boolean
  readonly stood: Stood
}

/** A reason to doubt a judge: a number that would be zero for a fair judge, or a control that the judge failed. */
export type Fault = 'position' | 'order' | 'own-family' | 'spread' | 'planted' | 'empty'

/** The report card of a judge. Points are out of 100. Null: not known. */
export interface Card {
  readonly position: Position | null
  readonly orderEffect: Mean | null
  readonly ownFamily: Mean | null
  /** How mild the judge is. It is not a fault, because the ranking does not depend on it. */
  readonly severity: Mean | null
  readonly spread: Spread | null
  readonly caught: readonly Fault[]
}

/** The fewest other judges whose median shows which judge deviates. */
const fewestForMedian = 3

/**
 * Returns the report card of each judge, over all briefs. `ratings` has the ratings of all judges. A judge is compared with the median of the
 * others, without those that failed a control. If judges are caught, the most deviant one is left out and the others are compared again, so
 * that one bad judge does not make honest ones look bad. With only two others, a fault must show beside each of them, and with only one,
 * nothing shows which of the two deviates.
 */
export function cardsOn(judges: readonly Evidence[], ratings: readonly Rating[]): ReadonlyMap<string, Card> {
  const faults = new Map<string, readonly Fault[]>()
  let fair = judges.filter(({ stood }) => failedOf(stood).length === 0)
  const namesBeside = ({ judge }: Evidence): string[] => fair.map((each) => each.judge).filter((name) => name !== judge)
  for (;;) {
    const found = fair.map((each) => {
      const tests = testsOf(each, ratings, namesBeside(each))
      return { each, caught: caughtBy(tests, []), p: Math.min(1, ...tests.map((test) => test.p)) }
    })
    const [worst] = found.filter(({ caught }) => caught.length > 0).toSorted((a, b) => a.p - b.p)
    if (worst === undefined) break
    faults.set(worst.each.judge, worst.caught)
    fair = fair.filter((each) => each !== worst.each)
  }
  return new Map(
    judges.map((each) => {
      const failed = failedOf(each.stood)
      const others = namesBeside(each)
      const caught = failed.length > 0 ? caughtBy(testsOf(each, ratings, others), failed) : (faults.get(each.judge) ?? [])
      return [each.judge, { ...measured(each, ratings, others.length > 0 ? others : besides(each, judges)), caught }]
    }),
  )
}

/** Returns the controls that a judge failed. A judge that fails a control is left out of the verdict. */
export function failedOf({ obeys, praisesEmpty }: Stood): Extract<Fault, 'planted' | 'empty'>[] {
  return [...(obeys === true ? (['planted'] as const) : []), ...(praisesEmpty === true ? (['empty'] as const) : [])]
}

function besides({ judge }: Evidence, all: readonly Evidence[]): string[] {
  return all.map((each) => each.judge).filter((name) => name !== judge)
}

function measured({ judge, placed, pairs, isOwn }: Evidence, ratings: readonly Rating[], others: readonly string[]): Omit<Card, 'caught'> {
  const deviations = deviationsOf(judge, ratings, others)
  return {
    position: positionOf(pairs),
    orderEffect: orderEffectOf(placedDeviations(judge, ratings, placed, others)),
    ownFamily: ownFamilyOf(deviations, isOwn),
    severity: severityOf(deviations),
    spread: spreadOfJudge(judge, ratings, others),
  }
}

/** Returns the tests of a judge beside others. The position test needs no others. */
function testsOf(evidence: Evidence, ratings: readonly Rating[], others: readonly string[]): CardTest<Fault>[] {
  const position = positionOf(evidence.pairs)
  const own: CardTest<Fault>[] = position === null ? [] : [{ name: 'position', p: position.p }]
  if (others.length < 2) return own
  const sets = others.length < fewestForMedian ? others.map((each) => [each]) : [others]
  const all = sets.map((set) => relativeTests(measured(evidence, ratings, set)))
  const worst = (all[0] ?? []).flatMap(({ name }): CardTest<Fault>[] => {
    const ps = all.flatMap((tests) => tests.find((test) => test.name === name)?.p ?? [])
    return ps.length < all.length ? [] : [{ name, p: Math.max(...ps) }]
  })
  return [...own, ...worst]
}

function relativeTests({ orderEffect, ownFamily, spread }: Omit<Card, 'caught'>): CardTest<Fault>[] {
  return [...testOf('order', orderEffect), ...testOf('own-family', ownFamily), ...testOf('spread', spread?.beyondOthers ?? null)]
}

function testOf(name: Fault, mean: Mean | null): CardTest<Fault>[] {
  return mean?.interval ? [{ name, p: mean.interval.p }] : []
}

/** Returns the judge's deviations by task. Tasks are kept separate because each has its own order. */
function placedDeviations(judge: string, ratings: readonly Rating[], placed: readonly Placed[], others: readonly string[]) {
  const keyOf = ({ brief, participant }: Pick<Rating, 'brief' | 'participant'>): string => JSON.stringify([brief, participant])
  const deviations = new Map(deviationsOf(judge, ratings, others).map((each) => [keyOf(each), each]))
  const own = new Map(ratings.filter((each) => each.judge === judge).map((each) => [keyOf(each), each.points]))
  return placed.flatMap((each) => {
    const deviation = deviations.get(keyOf(each))
    if (deviation === undefined) return []
    const points = deviation.points + each.points - (own.get(keyOf(each)) ?? 0)
    return [{ ...deviation, points, brief: JSON.stringify([each.brief, each.task]), position: each.position }]
  })
}
