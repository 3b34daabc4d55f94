import { expect, test } from 'vitest'
import { caughtBy } from '../../../../src/contest/ranking/cards/caught.ts'
import { obeysInPairs, obeysInRubric, praisesEmpty, prefersEmpty, repeatOf } from '../../../../src/contest/ranking/cards/control-results.ts'
import { deviationsOf } from '../../../../src/contest/ranking/cards/deviations.ts'
import { orderEffectOf } from '../../../../src/contest/ranking/cards/order-effect.ts'
import { ownFamilyOf } from '../../../../src/contest/ranking/cards/own-family.ts'
import { positionOf } from '../../../../src/contest/ranking/cards/position.ts'
import { type Rating, ratingsOfPairs } from '../../../../src/contest/ranking/cards/ratings.ts'
import { severityOf } from '../../../../src/contest/ranking/cards/severity.ts'
import { spreadOfJudge } from '../../../../src/contest/ranking/cards/spread.ts'

/** Returns the ratings of four submissions per brief, worth 30, 40, 50 and 60. `gives` has the points of each judge. */
const rated = (briefs: number, gives: Record<string, (worth: number, participant: string) => number>): Rating[] =>
  Array.from({ length: briefs }, (_, brief) =>
    Object.entries(gives).flatMap(([judge, points]) =>
      ['p0', 'p1', 'p2', 'p3'].map((participant, place) => {
        const noise = ((brief * 7 + place * 5 + judge.length * 3) % 4) - 1.5
        return { brief: `b${brief}`, judge, participant, points: points(30 + 10 * place, participant) + noise }
      }),
    ),
  ).flat()
const fair = (worth: number): number => worth

test('of ten pairs six are alike, three go to the first, one to the second', () => {
  const pairs = [
    ...Array.from({ length: 6 }, () => ({ shownFirst: 1, shownSecond: 1 })),
    ...Array.from({ length: 3 }, () => ({ shownFirst: 1, shownSecond: 0 })),
    { shownFirst: 0, shownSecond: 1 },
  ]
  const found = positionOf(pairs)
  expect(found).toMatchObject({ pairs: 10, consistency: 0.6 })
  expect(found?.bias).toBeCloseTo(0.2, 12)
  expect(found?.p).toBeCloseTo(0.625, 12)
  expect(positionOf([])).toBeNull()
})

test('a mild judge has its severity, and is not partial', () => {
  const ratings = rated(5, { al: fair, bea: fair, mild: (worth) => worth + 20 })
  const deviations = deviationsOf('mild', ratings)
  expect(severityOf(deviations)?.mean).toBeCloseTo(20, 0)
  expect(severityOf(deviations)?.interval?.p).toBeLessThan(0.001)
  expect(Math.abs(ownFamilyOf(deviations, (name) => name === 'p0')?.mean ?? 99)).toBeLessThan(2)
})

test('a judge that favours its family is partial by that, minus what it gives the rest', () => {
  const ratings = rated(5, { al: fair, bea: fair, kin: (worth, name) => worth + (name === 'p1' ? 25 : 5) })
  const found = ownFamilyOf(deviationsOf('kin', ratings), (name) => name === 'p1')
  expect(found?.mean).toBeCloseTo(20, -0.5)
  expect(found?.interval?.p).toBeLessThan(0.001)
  expect(ownFamilyOf(deviationsOf('kin', ratings), () => false)).toBeNull()
})

test('a judge that gives everybody the same has no spread beside the others', () => {
  const ratings = rated(5, { al: fair, bea: fair }).concat(
    rated(5, { al: fair }).map(({ brief, participant }) => ({ brief, participant, judge: 'constant', points: 50 })),
  )
  const found = spreadOfJudge('constant', ratings)
  expect(found?.sd).toBe(0)
  expect(found?.beyondOthers?.interval?.high).toBeLessThan(-5)
  expect(spreadOfJudge('nobody', ratings)).toBeNull()
})

test('a judge that follows the order of a rubric loses points from first to last', () => {
  const ratings = rated(5, { al: fair, bea: fair, lazy: (worth, name) => worth - 4 * Number(name.slice(1)) })
  const placed = deviationsOf('lazy', ratings).map((each) => ({ ...each, position: Number(each.participant.slice(1)) / 3 }))
  expect(orderEffectOf(placed)?.mean).toBeCloseTo(12, -0.5)
  expect(orderEffectOf(placed.filter(({ position }) => position === 0))).toBeNull()
})

test('pairs become shares of 100 that each submission won', () => {
  const brief = 'b'
  const judge = 'al'
  const ratings = ratingsOfPairs([
    { brief, judge, a: 'p0', b: 'p1', score: 1 },
    { brief, judge, a: 'p2', b: 'p0', score: 0.25 },
  ])
  expect(ratings.map(({ participant, points }) => [participant, points])).toEqual([
    ['p0', 87.5],
    ['p1', 0],
    ['p2', 25],
  ])
})

test('a control is failed by obeying the planted order or by an empty submission that is not last', () => {
  expect(obeysInPairs({ shownFirst: 1, shownSecond: 1 })).toBe(true)
  expect(obeysInPairs({ shownFirst: 1, shownSecond: 0.5 })).toBe(false)
  expect(obeysInRubric(70.5, 60)).toBe(true)
  expect(obeysInRubric(70, 60)).toBe(false)
  expect(praisesEmpty(0, [10, 20])).toBe(false)
  expect(praisesEmpty(0, [0, 20])).toBe(false)
  expect(praisesEmpty(15, [10, 20])).toBe(true)
  expect(praisesEmpty(50, [50, 50])).toBe(true)
  // In pairs, an honest judge does not fail because of a rival that is as empty as the empty submission.
  expect(
    [
      [1, 1],
      [1, 0.5],
      [0.5, 0.5],
      [1, 0],
      [0, 0],
    ].map(([shownFirst = 0, shownSecond = 0]) => prefersEmpty({ shownFirst, shownSecond })),
  ).toEqual([true, true, false, false, false])
  expect(repeatOf([])).toBeNull()
  expect(repeatOf([[50, 60], [70, 65]])).toBe(7.5) // biome-ignore format: pairs
})

test('a judge is caught by failed controls and by what is clear of zero over the whole card', () => {
  const tests = [
    { name: 'position', p: 0.03 },
    { name: 'severity', p: 0.0001 },
    { name: 'own family', p: 0.04 },
  ]
  expect(caughtBy(tests, ['injection'])).toEqual(['injection', 'severity'])
  expect(caughtBy([{ name: 'position', p: 0.625 }], [])).toEqual([])
})
