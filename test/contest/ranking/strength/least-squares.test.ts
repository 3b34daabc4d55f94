import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, leastSquares } from '../../../../src/contest/ranking/strength/least-squares.ts'

const block = (cluster: number, points: Record<number, number>): Block => ({
  cluster,
  points: new Map(Object.entries(points).map(([place, value]) => [Number(place), value])),
})

test('a mild judge helps no participant: one is 10 above, another 5 below', () => {
  const blocks = [block(0, { 0: 60, 2: 50 }), block(1, { 1: 75, 2: 80 })]
  const [p1 = 0, p2 = 0, p3 = 0] = leastSquares(blocks, { participants: 3, clusters: 2 })?.strengths ?? []
  expect(p1 - p3).toBeCloseTo(10, 9)
  expect(p2 - p3).toBeCloseTo(-5, 9)
})

test('participants that no block connects have no common strengths', () => {
  const blocks = [block(0, { 0: 60, 1: 50 }), block(1, { 2: 75, 3: 80 })]
  expect(leastSquares(blocks, { participants: 4, clusters: 2 })).toBeNull()
})

test('in complete blocks strengths are means, whatever a judge adds to a whole block', () => {
  const row = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 100 })), fc.integer({ min: -50, max: 50 }))
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
      const blocks = rows.map(([a = 0, b = 0, c = 0, mild = 0], cluster) => block(cluster, { 0: a + mild, 1: b + mild, 2: c + mild }))
      const { strengths = [] } = leastSquares(blocks, { participants: 3, clusters: rows.length }) ?? {}
      const all = rows.flatMap((each) => each.slice(0, 3)).reduce((sum, each) => sum + each, 0) / (3 * rows.length)
      for (const place of [0, 1, 2]) {
        const mean = rows.reduce((sum, each) => sum + (each[place] ?? 0), 0) / rows.length
        expect(strengths[place]).toBeCloseTo(mean - all, 8)
      }
    }),
  )
})

test('rounding to steps of 10 is two variances of 100/12 for a difference in one block', () => {
  const rounding = leastSquares([block(0, { 0: 60, 1: 50 })], { participants: 2, clusters: 1 })?.coarse
  expect((rounding?.at(0, 0) ?? 0) + (rounding?.at(1, 1) ?? 0) - 2 * (rounding?.at(0, 1) ?? 0)).toBeCloseTo(200 / 12, 9)
})

test('an influence is what leaving the brief out does, even if scores are missing', () => {
  const blocks = [
    block(0, { 0: 60, 1: 50, 2: 20 }),
    block(1, { 1: 75, 2: 80 }),
    block(2, { 0: 10, 1: 30, 2: 40 }),
    block(3, { 0: 33, 2: 5 }),
  ]
  const all = leastSquares(blocks, { participants: 3, clusters: 4 })
  for (const left of [0, 1, 2, 3]) {
    const rest = leastSquares(
      blocks.filter(({ cluster }) => cluster !== left),
      { participants: 3, clusters: 4 },
    )
    for (const place of [0, 1, 2])
      expect(all?.influences[left]?.[place]).toBeCloseTo(0.75 * ((all?.strengths[place] ?? 0) - (rest?.strengths[place] ?? 0)), 9)
  }
})

test('if only one brief connects the participants, nothing is known of how sure the strengths are', () => {
  const blocks = [block(0, { 0: 60, 1: 50, 2: 20 }), block(1, { 0: 75, 1: 80 }), block(2, { 0: 10, 1: 30 })]
  const found = leastSquares(blocks, { participants: 3, clusters: 3 })
  expect(found?.strengths).toHaveLength(3)
  expect(found?.influences).toEqual([])
})
