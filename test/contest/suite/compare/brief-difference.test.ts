import { expect, test } from 'vitest'
import { PaddockError } from '../../../../src/base/errors.ts'
import { briefDifference, findableLoss, upperBound } from '../../../../src/contest/suite/compare/brief-difference.ts'
import { gateOf, type Tested, testGate } from '../../../../src/contest/suite/compare/compare-gates.ts'

/** The extra hours of sleep with one drug over another (Student, Biometrika 6, 1908), with published results. */
const sleep = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4]

test('a difference over briefs has the interval and the test that Student published', () => {
  const found = briefDifference(sleep)
  expect(found?.estimate).toBeCloseTo(1.58, 10)
  expect(found?.sure?.low).toBeCloseTo(0.7001142, 6)
  expect(found?.sure?.high).toBeCloseTo(2.4598858, 6)
  expect(2 * (found?.sure?.pBetter ?? 0)).toBeCloseTo(0.00283289, 7)
  expect(found?.sure?.pWorse).toBeCloseTo(1 - 0.00283289 / 2, 7)
  // t(0.95, 9) = 1.833113
  expect(upperBound(found ?? expect.fail())).toBeCloseTo(1.58 + 1.833113 * 0.3889587, 5)
})

test('few briefs have an estimate only, and equal differences have no findable loss', () => {
  expect(briefDifference([])).toBeNull()
  expect(briefDifference([-1, -3])).toEqual({ estimate: -2, briefs: 2, sure: null })
  const rule = { level: 0.05, together: 1, least: 3 }
  expect(findableLoss(briefDifference([-5, -5, -5]) ?? expect.fail(), rule)).toBeNull()
  expect(briefDifference([0, 0, 0])?.sure).toMatchObject({ pWorse: 0.5, pBetter: 0.5 })
})

test('the findable loss needs a certain loss that is also as large as the gate', () => {
  const found = briefDifference(sleep.map((each) => -each)) ?? expect.fail()
  const error = 0.3889587
  // t(0.95, 9) = 1.833113, t(0.975, 9) = 2.262157, t(0.8, 9) = 0.883404
  expect(findableLoss(found, { level: 0.05, together: 1, least: 0 })).toBeCloseTo((1.833113 + 0.883404) * error, 5)
  expect(findableLoss(found, { level: 0.05, together: 2, least: 0 })).toBeCloseTo((2.262157 + 0.883404) * error, 5)
  expect(findableLoss(found, { level: 0.05, together: 1, least: 3 })).toBeCloseTo(3 + 0.883404 * error, 5)
})

test.for([
  ['worse by 3', { measure: null, least: 3 }],
  [' worse by 2.5 points', { measure: null, least: 2.5 }],
  ['score worse by 1 point', { measure: 'score', least: 1 }],
  ['checks worse by 10', { measure: 'checks', least: 10 }],
  ['delivered worse by 0', { measure: 'delivered', least: 0 }],
  ['cost worse by 20%', { measure: 'cost', least: 1.2 }],
  ['time worse by 150%', { measure: 'time', least: 2.5 }],
] as const)('%s is a condition', ([text, gate]) => {
  expect(gateOf(text)).toEqual({ text: text.trim(), ...gate })
})

test.for([
  '',
  'worse',
  'better by 3',
  'worse by -3',
  'worse by 3%',
  'checks worse by 3%',
  'cost worse by 3',
  'time worse by 3 points',
  'worse by 101',
  'worse by 3 or 4',
  'worse by 1e3',
  'speed worse by 3',
])('"%s" is not a condition', (text) => {
  const problem = (): unknown => {
    try {
      return gateOf(text)
    } catch (error) {
      return error
    }
  }
  const error = problem()
  expect(error).toBeInstanceOf(PaddockError)
  expect(error).toMatchObject({
    code: 'BAD_INPUT',
    message: `--fail-if "${text}" is not a condition.`,
    hint: expect.stringMatching(/^Write/),
  })
})

const one = (participant: string, differences: readonly number[], change: Partial<Tested> = {}): Tested => ({
  participant,
  difference: briefDifference(differences),
  isComparable: true,
  basis: 'side-by-side',
  ...change,
})
const least = { text: 'worse by 3', least: 3 }
const lost = [-10, -12, -8, -11, -9]

test('a gate fails only for a loss that is certain and as large as the gate', () => {
  const all = [
    one('lost', lost),
    one('small', [-2, -2.2, -1.8, -2.1, -1.9]),
    one('unsure', [-40, 20, -30, 25, -5]),
    one('better', [10, 12, 8, 11, 9]),
  ]
  expect(testGate(least, 'score', all, false).map(({ participant, state }) => [participant, state])).toEqual([
    ['lost', 'failed'],
    ['small', 'passed'],
    ['unsure', 'passed'],
    ['better', 'passed'],
  ])
  // Certain with 95% is only a loss of 3, not of 9.8.
  expect(testGate({ text: '', least: 9.8 }, 'score', [one('lost', lost)], false)[0]?.state).toBe('failed')
  expect(testGate({ text: '', least: 9.8 }, 'score', [one('lost', lost)], true)[0]?.state).toBe('passed')
  expect(testGate(least, 'score', [one('lost', lost)], true)[0]?.state).toBe('failed')
})

test('several participants are tested together, and times more strictly', () => {
  // p = 0.031
  const near = [-4, -1, -9, -2, -14, 1, -6, 2]
  const single = one('near', near)
  expect(single.difference?.sure?.pWorse).toBeGreaterThan(0.025)
  expect(single.difference?.sure?.pWorse).toBeLessThan(0.05)
  expect(testGate(least, 'score', [single], false)[0]?.state).toBe('failed')
  expect(testGate(least, 'score', [single, one('other', [1, -1, 2, -2, 0])], false)[0]?.state).toBe('passed')
  const slower = near.map((each) => each / 10)
  expect(testGate({ text: '', least: 1.2 }, 'cost', [one('near', slower)], false)[0]?.state).toBe('failed')
  expect(testGate({ text: '', least: 1.2 }, 'time', [one('near', slower)], false)[0]?.state).toBe('passed')
})

test('what cannot be tested is not passed, and does not make the test of others stricter', () => {
  const all = [
    one('few', [-50, -50]),
    one('none', []),
    one('infrastructure', lost, { isComparable: false }),
    one('old', lost, { basis: 'as-judged' }),
    one('lost', lost),
  ]
  expect(testGate(least, 'score', all, false)).toMatchObject([
    { state: 'untested', why: '2 of at least 3 briefs can be compared', finds: null },
    { state: 'untested', why: 'nothing was measured for score in both runs' },
    { state: 'untested', why: 'too many attempts failed, or were not judged, for reasons other than its work' },
    { state: 'untested', why: 'scores of the old judgings never gate, because judges may have been milder or stricter' },
    { state: 'failed', why: null },
  ])
})
