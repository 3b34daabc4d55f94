import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leastSquares } from '../../../src/contest/ranking/statistics/blocks.ts'
import { bradleyTerry, type Comparison } from '../../../src/contest/ranking/statistics/bradley-terry.ts'
import { gwet, type Weighting } from '../../../src/contest/ranking/statistics/gwet.ts'
import { weightedKappa } from '../../../src/contest/ranking/statistics/kappa.ts'
import { kendall } from '../../../src/contest/ranking/statistics/kendall.ts'
import { krippendorff, type Level } from '../../../src/contest/ranking/statistics/krippendorff.ts'
import { positionOf } from '../../../src/contest/ranking/statistics/position.ts'
import { ranksOf } from '../../../src/contest/ranking/statistics/ranks.ts'
import { fairCoin, holm, passAt, passEvery, wilson } from '../../../src/contest/ranking/statistics/shares.ts'
import { studentCdf, studentQuantile } from '../../../src/contest/ranking/statistics/student.ts'
import { covariances, halfWidths } from '../../../src/contest/ranking/statistics/uncertainty.ts'

/** So often `a` won and `b` won, in one cluster. */
const met = (a: number, b: number, wins: number, losses: number, ties = 0): Comparison[] =>
  [
    { a, b, score: 1, weight: wins, cluster: 0 },
    { a, b, score: 0, weight: losses, cluster: 0 },
    { a, b, score: 0.5, weight: ties, cluster: 0 },
  ].filter(({ weight }) => weight > 0)

describe('Bradley–Terry', () => {
  test('journals that cite journals', () => {
    const table = [
      [0, 730, 498, 221],
      [33, 0, 68, 17],
      [320, 813, 0, 142],
      [284, 276, 325, 0],
    ]
    const comparisons = table.flatMap((row, a) => row.flatMap((wins, b) => (a < b ? met(a, b, wins, table[b]?.[a] ?? 0) : [])))
    const { strengths = [] } = bradleyTerry(comparisons, { participants: 4, clusters: 1, priorSd: Number.POSITIVE_INFINITY }) ?? {}
    const [first = 0] = strengths
    const expected = [0, -2.94907, -0.47957, 0.26895]
    for (const [place, each] of strengths.entries()) expect(each - first).toBeCloseTo(expected[place] ?? Number.NaN, 5)
  })

  test('three wins, one loss and two ties are ln 2; four wins and no loss have an estimate by the prior alone', () => {
    const of = (comparisons: Comparison[], priorSd: number) => {
      const found = bradleyTerry(comparisons, { participants: 2, clusters: 1, priorSd })
      return found === null ? null : (found.strengths[0] ?? 0) - (found.strengths[1] ?? 0)
    }
    expect(of(met(0, 1, 3, 1, 2), Number.POSITIVE_INFINITY)).toBeCloseTo(Math.LN2, 9)
    expect(of(met(0, 1, 4, 0), 3)).toBeCloseTo(3.100938, 6)
    expect(of(met(0, 1, 4, 0), Number.POSITIVE_INFINITY)).toBeNull()
  })

  test('strengths sum to zero, do not depend on who is named first, and nobody loses by winning', () => {
    const comparison = fc.record({
      pair: fc.constantFrom([0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]),
      score: fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
      cluster: fc.nat(3),
    })
    fc.assert(
      fc.property(fc.array(comparison, { minLength: 1, maxLength: 60 }), (list) => {
        const made = list.map(({ pair: [a = 0, b = 0], ...rest }) => ({ a, b, ...rest }))
        const strengthsOf = (comparisons: Comparison[]): readonly number[] =>
          bradleyTerry(comparisons, { participants: 4, clusters: 4 })?.strengths ?? []
        const strengths = strengthsOf(made)
        expect(strengths.reduce((sum, each) => sum + each, 0)).toBeCloseTo(0, 8)
        const turned = strengthsOf(made.map(({ a, b, score, cluster }) => ({ a: b, b: a, score: 1 - score, cluster })))
        for (const [place, each] of turned.entries()) expect(each).toBeCloseTo(strengths[place] ?? Number.NaN, 8)
        const more = strengthsOf([...made, { a: 0, b: 1, score: 1, cluster: 0 }])
        expect(more[0]).toBeGreaterThan(strengths[0] ?? Number.NaN)
      }),
    )
  })

  test('what a judge gives for length is told from strength', () => {
    // The longer one wins three of four, whoever it is.
    const comparisons = [1, -1].flatMap((longer) =>
      [0.75, 0.75, 0.75, 0.75].map((share, cluster) => ({
        a: 0,
        b: 1,
        score: longer > 0 ? share : 1 - share,
        cluster,
        covariates: [longer],
      })),
    )
    const found = bradleyTerry(comparisons, { participants: 2, clusters: 4, covariates: 1 })
    expect(found?.strengths[0]).toBeCloseTo(0, 9)
    expect(found?.coefficients[0]).toBeCloseTo(Math.log(3), 9)
  })
})

describe('blocks', () => {
  test('a mild judge helps nobody: one is 10 above, another 5 below', () => {
    const blocks = [
      {
        cluster: 0,
        points: new Map([
          [0, 60],
          [2, 50],
        ]),
      },
      {
        cluster: 1,
        points: new Map([
          [1, 75],
          [2, 80],
        ]),
      },
    ]
    const { strengths = [] } = leastSquares(blocks, { participants: 3, clusters: 2 }) ?? {}
    const [p1 = 0, p2 = 0, p3 = 0] = strengths
    expect(p1 - p3).toBeCloseTo(10, 9)
    expect(p2 - p3).toBeCloseTo(-5, 9)
  })

  test('those whom nothing compares have no estimate', () => {
    const blocks = [
      {
        cluster: 0,
        points: new Map([
          [0, 60],
          [1, 50],
        ]),
      },
      {
        cluster: 1,
        points: new Map([
          [2, 75],
          [3, 80],
        ]),
      },
    ]
    expect(leastSquares(blocks, { participants: 4, clusters: 2 })).toBeNull()
  })
})

describe('uncertainty', () => {
  test('quantiles of Student’s t', () => {
    for (const [p, degrees, t] of [
      [0.975, 1, 12.7062047],
      [0.975, 2, 4.30265273],
      [0.975, 7, 2.36462425],
      [0.995, 30, 2.74999566],
      [0.5, 3, 0],
    ] as const) {
      expect(studentQuantile(p, degrees)).toBeCloseTo(t, 7)
      expect(studentCdf(t, degrees)).toBeCloseTo(p, 8)
    }
  })

  test('of two participants in complete blocks, the error is that of a paired t test', () => {
    const differences = [4, 7, -1, 9, 3]
    const blocks = differences.map((d, cluster) => ({
      cluster,
      points: new Map([
        [0, 50 + d],
        [1, 50],
      ]),
    }))
    const found = leastSquares(blocks, { participants: 2, clusters: 5 })
    if (found === null) throw new Error('no estimate')
    const mean = differences.reduce((sum, each) => sum + each, 0) / 5
    const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 4
    const v = covariances(found)
    expect((found.strengths[0] ?? 0) - (found.strengths[1] ?? 0)).toBeCloseTo(mean, 9)
    expect((v?.at(0, 0) ?? 0) * 4).toBeCloseTo(variance / 5, 9)
    expect(halfWidths(found)?.[0]).toBeCloseTo((studentQuantile(0.975, 4) * Math.sqrt(variance / 5)) / 2, 9)
  })

  test('two clusters say nothing, and under eight the bound is Bonferroni’s', () => {
    const blocks = (count: number) =>
      Array.from({ length: count }, (_, cluster) => ({
        cluster,
        points: new Map([
          [0, 60 + cluster],
          [1, 50 - cluster],
          [2, 10],
        ]),
      }))
    const of = (count: number) => {
      const found = leastSquares(blocks(count), { participants: 3, clusters: count })
      return found === null ? null : ranksOf(found, { seed: 1 })
    }
    expect(of(2)).toBeNull()
    expect(of(5)?.critical).toBeCloseTo(studentQuantile(1 - 0.025 / 3, 4), 9)
    expect(of(8)?.critical).not.toBeCloseTo(studentQuantile(1 - 0.025 / 3, 7), 3)
    expect(of(8)?.ranges).toEqual([
      { from: 1, to: 1 },
      { from: 2, to: 2 },
      { from: 3, to: 3 },
    ])
    expect(of(8)?.critical).toBe(of(8)?.critical)
  })
})

test('shares: at k, in all k, by Wilson, by Holm, by a fair coin', () => {
  expect(passAt(3, 2, 5)).toBeCloseTo(0.9, 12)
  expect(passEvery(2, 2, 5)).toBeCloseTo(0.1, 12)
  expect(passAt(6, 2, 5)).toBeNull()
  const eight = wilson(8, 10)
  expect(eight?.low).toBeCloseTo(0.49, 3)
  expect(eight?.high).toBeCloseTo(0.943, 3)
  expect(holm([0.04, 0.01, 0.03, 0.005])).toEqual([false, true, false, true])
  expect(fairCoin(3, 4)).toBeCloseTo(0.625, 12)
  expect(fairCoin(1_000, 2_000)).toBe(1)
  expect(fairCoin(900, 2_000)).toBeCloseTo(8.6e-6, 6)
})

test('of ten pairs six alike, three for the first, one for the second', () => {
  const pairs = [
    ...Array.from({ length: 6 }, () => ({ shownFirst: 1, shownSecond: 1 })),
    ...Array.from({ length: 3 }, () => ({ shownFirst: 1, shownSecond: 0 })),
    { shownFirst: 0, shownSecond: 1 },
  ]
  const found = positionOf(pairs)
  expect(found).toMatchObject({ pairs: 10, consistency: 0.6 })
  expect(found?.bias).toBeCloseTo(0.2, 12)
  expect(found?.p).toBeCloseTo(0.625, 12)
})

describe('agreement', () => {
  const rated = `1 2 3 3 2 1 4 1 2 · · · / 1 2 3 3 2 2 4 1 2 5 · 3 / · 3 3 3 2 3 4 2 2 5 1 · / 1 2 3 3 2 4 4 1 2 5 1 ·`
    .split('/')
    .map((row) =>
      row
        .trim()
        .split(' ')
        .map((each) => (each === '·' ? null : Number(each))),
    )
  const units = Array.from({ length: 12 }, (_, unit) => rated.map((row) => row[unit] ?? null))

  test.each<[Level, number]>([
    ['nominal', 0.743],
    ['ordinal', 0.815],
    ['interval', 0.849],
  ])('Krippendorff’s α, %s', (level, alpha) => {
    expect(krippendorff(units, level)).toBeCloseTo(alpha, 3)
  })

  test.each<[Weighting, number]>([
    ['unweighted', 0.775],
    ['linear', 0.859],
    ['quadratic', 0.914],
  ])('Gwet’s AC, %s', (weighting, ac) => {
    expect(gwet(units, [1, 2, 3, 4, 5], weighting)).toBeCloseTo(ac, 3)
  })

  test.each<[Weighting, number]>([
    ['unweighted', 0.796],
    ['linear', 0.843],
    ['quadratic', 0.892],
  ])('weighted κ, %s', (weighting, kappa) => {
    expect(
      weightedKappa(
        [
          [13, 0, 0],
          [0, 20, 7],
          [0, 4, 56],
        ],
        weighting,
      ),
    ).toBeCloseTo(kappa, 3)
  })

  test('Kendall’s W of wings, tails and bills', () => {
    const rows =
      `10.4 10.8 11.1 10.2 10.3 10.2 10.7 10.5 10.8 11.2 10.6 11.4 / 7.4 7.6 7.9 7.2 7.4 7.1 7.4 7.2 7.8 7.7 7.8 8.3 / 17 17 20 14.5 15.5 13 19.5 16 21 20 18 22`
        .split('/')
        .map((row) => row.trim().split(' ').map(Number))
    const found = kendall(rows)
    expect(found?.w).toBeCloseTo(0.913364, 6)
    expect(found?.wTied).toBeCloseTo(0.924135, 6)
    expect(found?.chiSquare).toBeCloseTo(30.4965, 4)
  })

  test('where nothing varies, nothing is said', () => {
    expect(
      krippendorff(
        [
          [3, 3],
          [3, 3],
        ],
        'interval',
      ),
    ).toBeNull()
    expect(krippendorff([[3, null]], 'nominal')).toBeNull()
    expect(
      weightedKappa(
        [
          [5, 0],
          [0, 0],
        ],
        'linear',
      ),
    ).toBeNull()
    expect(
      kendall([
        [1, 1],
        [2, 2],
      ]),
    ).toBeNull()
    expect(gwet([[3, null]], [1, 2, 3], 'linear')).toBeNull()
  })
})
