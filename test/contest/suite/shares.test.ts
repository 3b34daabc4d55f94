import { expect, test } from 'vitest'
import { chancesOf, shareOf } from '../../../src/contest/suite/report/shares.ts'

const tries = (brief: string, hits: string) => [...hits].map((each) => ({ brief, isHit: each === '+' }))

test('the share of ten briefs has Wilson’s interval', () => {
  const { hits, of, share, interval } = shareOf([...'++++++++--'].flatMap((hit, brief) => tries(String(brief), hit)))
  expect([hits, of, share]).toEqual([8, 10, 0.8])
  expect(interval?.low).toBeCloseTo(0.49, 3)
  expect(interval?.high).toBeCloseTo(0.943, 3)
})

test('repeats of a brief make an interval no narrower', () => {
  const once = shareOf([...tries('a', '+'), ...tries('b', '-'), ...tries('c', '+')])
  const often = shareOf([...tries('a', '++++'), ...tries('b', '----'), ...tries('c', '++++')])
  expect(often).toEqual({ ...once, hits: 8, of: 12 })
})

test('pass@k and pass^k are means over the briefs that were tried k times', () => {
  const chances = chancesOf([...tries('a', '++---'), ...tries('b', '-')], 5)
  expect(chances.map(({ k, briefs }) => [k, briefs])).toEqual([
    [1, 2],
    [2, 1],
    [3, 1],
    [4, 1],
    [5, 1],
  ])
  expect(chances[0]?.any).toBeCloseTo(0.2)
  expect(chances[1]?.all).toBeCloseTo(0.1)
  expect(chances[2]?.any).toBeCloseTo(0.9)
})

test('without attempts nothing is known', () => {
  expect(shareOf([])).toEqual({ hits: 0, of: 0, share: null, interval: null })
})
