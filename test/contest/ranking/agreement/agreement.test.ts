import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agreementOf } from '../../../../src/contest/ranking/agreement/agreement.ts'
import { gwet } from '../../../../src/contest/ranking/agreement/gwet.ts'
import { tableOf, weightedKappa } from '../../../../src/contest/ranking/agreement/kappa.ts'
import { kendall } from '../../../../src/contest/ranking/agreement/kendall.ts'
import { krippendorff, type Level } from '../../../../src/contest/ranking/agreement/krippendorff.ts'
import type { Weighting } from '../../../../src/contest/ranking/agreement/weights.ts'

const rowsOf = (text: string): (number | null)[][] =>
  text.split('/').map((row) =>
    row
      .trim()
      .split(' ')
      .map((each) => (each === '·' ? null : Number(each))),
  )
const rated = rowsOf('1 2 3 3 2 1 4 1 2 · · · / 1 2 3 3 2 2 4 1 2 5 · 3 / · 3 3 3 2 3 4 2 2 5 1 · / 1 2 3 3 2 4 4 1 2 5 1 ·')
const units = Array.from({ length: 12 }, (_, unit) => rated.map((row) => row[unit] ?? null))
const scale = [1, 2, 3, 4, 5]

describe('worked examples', () => {
  test.each<[Level, number]>([
    ['nominal', 0.743],
    ['ordinal', 0.815],
    ['interval', 0.849],
  ])('Krippendorff’s α of four judges, %s', (level, alpha) => {
    expect(krippendorff(units, level)).toBeCloseTo(alpha, 3)
  })

  test.each<[Weighting, number]>([
    ['unweighted', 0.775],
    ['linear', 0.859],
    ['quadratic', 0.914],
  ])('Gwet’s AC of four judges, %s', (weighting, ac) => {
    expect(gwet(units, scale, weighting)).toBeCloseTo(ac, 3)
  })

  test.each<[Weighting, number]>([
    ['unweighted', 0.796],
    ['linear', 0.843],
    ['quadratic', 0.892],
  ])('weighted κ of a table, %s', (weighting, kappa) => {
    const table = [
      [13, 0, 0],
      [0, 20, 7],
      [0, 4, 56],
    ]
    expect(weightedKappa(table, weighting)).toBeCloseTo(kappa, 3)
  })

  test('Kendall’s W of wing, tail and bill', () => {
    const birds = rowsOf(
      '10.4 10.8 11.1 10.2 10.3 10.2 10.7 10.5 10.8 11.2 10.6 11.4 / 7.4 7.6 7.9 7.2 7.4 7.1 7.4 7.2 7.8 7.7 7.8 8.3 / 17 17 20 14.5 15.5 13 19.5 16 21 20 18 22',
    )
    const found = kendall(birds.map((row) => row.map((each) => each ?? Number.NaN)))
    expect(found?.w).toBeCloseTo(0.913364, 6)
    expect(found?.wTied).toBeCloseTo(0.924135, 6)
    expect(found?.chiSquare).toBeCloseTo(30.4965, 4)
    expect(found?.degrees).toBe(11)
  })
})

test('if nothing varies or nothing can be compared, there is no number', () => {
  expect(krippendorff([[3, 3], [3, 3]], 'interval')).toBeNull() // biome-ignore format: a table
  expect(krippendorff([[3, null]], 'nominal')).toBeNull()
  expect(weightedKappa([[5, 0], [0, 0]], 'linear')).toBeNull() // biome-ignore format: a table
  expect(weightedKappa([[0, 0], [0, 0]], 'linear')).toBeNull() // biome-ignore format: a table
  expect(kendall([[1, 1], [2, 2]])).toBeNull() // biome-ignore format: a table
  expect(gwet([[3, null]], [1, 2, 3], 'linear')).toBeNull()
  expect(agreementOf([[3, 3], [3, 3]], scale)).toMatchObject({ n: 2, tooFew: true, alpha: null, ac: null, kappa: null, concordance: null }) // biome-ignore format: a table
  expect(agreementOf([], scale)).toMatchObject({ n: 0, alpha: null })
})

test('a dimension has all numbers beside n, κ only for two judges, AC only on the steps of its scale', () => {
  const four = agreementOf(units, scale)
  expect(four).toMatchObject({ n: 11, tooFew: false, kappa: null })
  expect(four.alpha?.ordinal).toBeCloseTo(0.815, 3)
  expect(four.ac?.quadratic).toBeCloseTo(0.914, 3)
  // Eight units were rated by all four.
  expect(four.concordance?.degrees).toBe(7)
  const two = units.map((unit) => unit.slice(1, 3))
  expect(agreementOf(two, scale).kappa?.linear).toBe(weightedKappa(tableOf(two, scale, [0, 1]), 'linear'))
  expect(agreementOf(two.slice(0, 9), scale).tooFew).toBe(true)
  expect(agreementOf([...two, [2.5, 3]], scale)).toMatchObject({ ac: null, kappa: null })
  expect(agreementOf([...two, [2.5, 3]], null).alpha).not.toBeNull()
})

test('a value that is not a step of the scale is refused', () => {
  expect(() => gwet([[1, 9]], [1, 2, 3], 'linear')).toThrow(RangeError)
})

test('complete agreement is 1 everywhere, and the order of judges does not matter', () => {
  const step = fc.constantFrom(...scale)
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 30 }), (values) => {
      fc.pre(new Set(values).size > 1)
      const same = agreementOf(
        values.map((each) => [each, each]),
        scale,
      )
      for (const each of [same.alpha, same.ac, same.kappa].flatMap((of) => Object.values(of ?? {}))) expect(each).toBeCloseTo(1, 9)
      expect(same.concordance?.wTied).toBeCloseTo(1, 9)
    }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(...[0, 1, 2].map(() => fc.option(step))), { minLength: 2, maxLength: 30 }), (list) => {
      const [one, other] = [agreementOf(list, scale), agreementOf(list.map((unit) => unit.toReversed()), scale)] // biome-ignore format: a pair
      expect(other.alpha?.ordinal ?? 0).toBeCloseTo(one.alpha?.ordinal ?? 0, 9)
      expect(other.ac?.linear ?? 0).toBeCloseTo(one.ac?.linear ?? 0, 9)
    }),
  )
})
