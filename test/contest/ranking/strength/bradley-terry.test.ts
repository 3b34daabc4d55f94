import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bradleyTerry, type Comparison } from '../../../../src/contest/ranking/strength/bradley-terry.ts'
import { styleOf } from '../../../../src/contest/ranking/strength/style.ts'

const noPrior = Number.POSITIVE_INFINITY

/** Returns the comparisons in which `a` won, lost and tied this often against `b`, in one cluster. */
const met = (a: number, b: number, wins: number, losses: number, ties = 0): Comparison[] =>
  [
    { a, b, score: 1, weight: wins, cluster: 0 },
    { a, b, score: 0, weight: losses, cluster: 0 },
    { a, b, score: 0.5, weight: ties, cluster: 0 },
  ].filter(({ weight }) => weight > 0)

const lead = (comparisons: Comparison[], priorSd: number): number | null => {
  const found = bradleyTerry(comparisons, { participants: 2, clusters: 1, priorSd })
  return found === null ? null : (found.strengths[0] ?? 0) - (found.strengths[1] ?? 0)
}

test('journals that cite journals have the published strengths', () => {
  const table = [
    [0, 730, 498, 221],
    [33, 0, 68, 17],
    [320, 813, 0, 142],
    [284, 276, 325, 0],
  ]
  const comparisons = table.flatMap((row, a) => row.flatMap((wins, b) => (a < b ? met(a, b, wins, table[b]?.[a] ?? 0) : [])))
  const { strengths = [] } = bradleyTerry(comparisons, { participants: 4, clusters: 1, priorSd: noPrior }) ?? {}
  const expected = [0, -2.94907, -0.47957, 0.26895]
  for (const [place, each] of strengths.entries()) expect(each - (strengths[0] ?? 0)).toBeCloseTo(expected[place] ?? Number.NaN, 5)
})

test('three wins, one loss and two ties are ln 2', () => {
  expect(lead(met(0, 1, 3, 1, 2), noPrior)).toBeCloseTo(Math.LN2, 9)
})

test('four wins and no loss have a strength by the prior, and none without it', () => {
  expect(lead(met(0, 1, 4, 0), 3)).toBeCloseTo(3.100938, 6)
  expect(lead(met(0, 1, 4, 0), noPrior)).toBeNull()
})

test('participants that nothing connects have no common strengths, prior or not', () => {
  expect(bradleyTerry([...met(0, 1, 2, 1), ...met(2, 3, 2, 1)], { participants: 4, clusters: 1 })).toBeNull()
})

test('a place that does not exist is refused', () => {
  expect(() => bradleyTerry(met(0, 5, 1, 0), { participants: 2, clusters: 1 })).toThrow(RangeError)
  expect(() => bradleyTerry([{ a: 0, b: 1, score: 1, cluster: 7 }], { participants: 2, clusters: 1 })).toThrow(RangeError)
})

test('strengths sum to zero, do not depend on who is named first, and a win more is never a loss', () => {
  const comparison = fc.record({
    pair: fc.constantFrom([0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]),
    score: fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
    cluster: fc.nat(3),
  })
  const chain: Comparison[] = [met(0, 1, 1, 1), met(1, 2, 1, 1), met(2, 3, 1, 1)].flat()
  fc.assert(
    fc.property(fc.array(comparison, { maxLength: 60 }), (list) => {
      const made = [...chain, ...list.map(({ pair: [a = 0, b = 0], ...rest }) => ({ a, b, ...rest }))]
      const strengthsOf = (comparisons: Comparison[]): readonly number[] =>
        bradleyTerry(comparisons, { participants: 4, clusters: 4 })?.strengths ?? []
      const strengths = strengthsOf(made)
      expect(strengths.reduce((sum, each) => sum + each, 0)).toBeCloseTo(0, 8)
      const turned = strengthsOf(made.map((each) => ({ ...each, a: each.b, b: each.a, score: 1 - each.score })))
      for (const [place, each] of turned.entries()) expect(each).toBeCloseTo(strengths[place] ?? Number.NaN, 8)
      const more = strengthsOf([...made, { a: 0, b: 1, score: 1, cluster: 0 }])
      expect(more[0]).toBeGreaterThan(strengths[0] ?? Number.NaN)
    }),
  )
})

test('if every brief has the same comparisons, the influence of one is H⁻¹ times its gradient', () => {
  // Two participants, 4 comparisons per brief, difference d: H⁻¹ · gradient is 2 · (wins − 4p) / (2 · Σ p(1 − p) + 1/9), half for each.
  const wins = [1, 3, 4]
  const comparisons = wins.flatMap((won, cluster) => met(0, 1, won, 4 - won).map((each) => ({ ...each, cluster })))
  const { strengths = [], influences = [] } = bradleyTerry(comparisons, { participants: 2, clusters: 3 }) ?? {}
  const p = 1 / (1 + Math.exp((strengths[1] ?? 0) - (strengths[0] ?? 0)))
  for (const [cluster, u] of influences.entries()) {
    const expected = ((wins[cluster] ?? 0) - 4 * p) / (2 * 12 * p * (1 - p) + 1 / 9)
    expect(u[0]).toBeCloseTo(expected, 9)
    expect(u[1]).toBeCloseTo(-expected, 9)
  }
})

test("a judge's preference for length is separated from strength", () => {
  // The longer one wins three of four comparisons, whichever it is.
  const comparisons = [1, -1].flatMap((longer) =>
    [0, 1, 2, 3].map((cluster) => ({ a: 0, b: 1, score: longer > 0 ? 0.75 : 0.25, cluster, covariates: [longer] })),
  )
  const found = bradleyTerry(comparisons, { participants: 2, clusters: 4, covariates: 1, priorSd: noPrior })
  expect(found?.strengths[0]).toBeCloseTo(0, 9)
  expect(found?.coefficients[0]).toBeCloseTo(Math.log(3), 9)
})

test('a length that never changes cannot be told from strength', () => {
  const comparisons = [0, 1, 2].map((cluster) => ({ a: 0, b: 1, score: 0.75, cluster, covariates: [1] }))
  expect(bradleyTerry(comparisons, { participants: 2, clusters: 3, covariates: 1 })).toBeNull()
})

test('style is a share of both, scaled to a mean square of one, and leaves out what never differs', () => {
  const { traits, covariates } = styleOf([
    { a: [30, 1, 0], b: [10, 1, 0] },
    { a: [10, 1, 0], b: [30, 1, 0] },
    { a: [5, 1, 0], b: [5, 1, 0] },
  ])
  expect(traits).toEqual([0])
  expect(covariates.map(([x = 0]) => x ** 2).reduce((sum, each) => sum + each, 0) / 3).toBeCloseTo(1, 12)
  expect(covariates[0]?.[0]).toBeCloseTo(-(covariates[1]?.[0] ?? 0), 12)
  expect(covariates[2]).toEqual([0])
  expect(styleOf([])).toEqual({ traits: [], covariates: [] })
})
