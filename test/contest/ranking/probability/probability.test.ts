import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fairCoin } from '../../../../src/contest/ranking/probability/fair-coin.ts'
import { holm } from '../../../../src/contest/ranking/probability/holm.ts'
import { meanOf } from '../../../../src/contest/ranking/probability/mean.ts'
import { normalQuantile, normalTwoSided } from '../../../../src/contest/ranking/probability/normal.ts'
import { seeded } from '../../../../src/contest/ranking/probability/random.ts'
import { passAtK, passPowerK } from '../../../../src/contest/ranking/probability/repeats.ts'
import { studentQuantile, studentTwoSided } from '../../../../src/contest/ranking/probability/student.ts'
import { wilson } from '../../../../src/contest/ranking/probability/wilson.ts'

const near = (found: number, expected: number): void => expect(Math.abs(found / expected - 1)).toBeLessThan(1e-9)

test('of five attempts two passed: pass@3 is 0.9 and pass^2 is 0.1', () => {
  expect(passAtK({ attempts: 5, passed: 2, k: 3 })).toBeCloseTo(0.9, 12)
  expect(passPowerK({ attempts: 5, passed: 2, k: 2 })).toBeCloseTo(0.1, 12)
  expect(passAtK({ attempts: 5, passed: 2, k: 6 })).toBeNull()
  expect(passPowerK({ attempts: 5, passed: 1, k: 2 })).toBe(0)
})

test('eight of ten are a share of 0.490 to 0.943', () => {
  const found = wilson(8, 10)
  near(found?.low ?? 0, 0.4901624715366418)
  near(found?.high ?? 0, 0.9433178485456248)
  expect(wilson(0, 0)).toBeNull()
  expect(wilson(0, 10)?.low).toBe(0)
  expect(wilson(10, 10)?.high).toBe(1)
})

test('a fair coin: one of four, and many', () => {
  expect(fairCoin(3, 4)).toBeCloseTo(0.625, 12)
  expect(fairCoin(0, 0)).toBe(1)
  expect(fairCoin(1_000, 2_000)).toBe(1)
  near(fairCoin(900, 2_000), 8.45708953550381e-6)
})

test('Holm asks each p-value for less than the one before, and stops at the first that is not', () => {
  expect(holm([0.04, 0.01, 0.03, 0.005])).toEqual([false, true, false, true])
  expect(holm([])).toEqual([])
})

// The expected values are from scipy 1.17.
test('quantiles and tails of Student’s t', () => {
  near(studentQuantile(0.975, 1), 12.706204736174694)
  near(studentQuantile(0.975, 2), 4.302652729749462)
  near(studentQuantile(0.9975, 4), 5.597568367075492)
  near(studentQuantile(0.9999, 2.5), 34.867969321116306)
  near(studentQuantile(0.4, 199), -0.25368607538177196)
  near(studentTwoSided(2.5, 4), 0.06676654481198814)
  near(studentTwoSided(-40, 9), 1.8982998449339822e-11)
})

test('quantiles and tails of the normal distribution', () => {
  near(normalQuantile(0.975), 1.959963984540054)
  near(normalQuantile(0.1), -1.2815515655446004)
  near(normalQuantile(0.999999), 4.753424308817087)
  near(normalTwoSided(0.5), 0.6170750774519738)
  near(normalTwoSided(2.9), 0.003731626600768075)
  near(normalTwoSided(-3.1), 0.0019352064264367126)
  near(normalTwoSided(8), 1.244192114854348e-15)
  expect(normalTwoSided(0)).toBe(1)
})

test('a quantile undoes its tail', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 500 }), (p, degrees) => {
      expect(studentTwoSided(studentQuantile(p, degrees), degrees)).toBeCloseTo(2 * Math.min(p, 1 - p), 9)
      expect(normalTwoSided(normalQuantile(p))).toBeCloseTo(2 * Math.min(p, 1 - p), 9)
    }),
  )
})

test('a mean has an interval from three clusters on', () => {
  expect(meanOf([])).toBeNull()
  expect(meanOf([1, 2])).toEqual({ mean: 1.5, clusters: 2, interval: null })
  const found = meanOf([4, 7, -1, 9, 3])
  expect(found?.interval?.p).toBeCloseTo(0.06280761100070112, 10)
  expect(found?.interval?.low).toBeLessThan(0)
  expect(meanOf([0, 0, 0])?.interval?.p).toBe(1)
  expect(meanOf([5, 5, 5])?.interval).toEqual({ low: 5, high: 5, p: 0 })
  expect(meanOf([5, 5, 5], 2)?.interval?.p).toBeCloseTo(studentTwoSided(2.5, 2), 12)
})

test('draws are the same for a seed, and even', () => {
  const [one, other] = [seeded(42), seeded(42)]
  const draws = Array.from({ length: 10_000 }, one)
  expect(draws).toEqual(Array.from({ length: 10_000 }, other))
  expect(draws.slice(0, 2)).toEqual([0.6011037519201636, 0.44829055899754167])
  expect(draws.filter((each) => each < 0.5).length / 10_000).toBeCloseTo(0.5, 1)
})
