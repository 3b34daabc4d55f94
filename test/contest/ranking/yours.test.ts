import { describe, expect, test } from 'vitest'
import { comparedOf } from '../../../src/contest/ranking/compared-pairs.ts'
import type { Pair } from '../../../src/contest/ranking/contest-summary.ts'
import { yoursOf } from '../../../src/contest/ranking/your-agreement.ts'
import { findings } from '../../support/contest-findings.ts'

/** Returns a judge's verdicts on two submissions in both orders: `better` if the first is shown first, `turned` if it is shown second. */
function found(judge: string, first: string, second: string, better: string | null, turned: string | null = better): Pair[] {
  const one = { judge, why: null, labels: { A: first, B: second } }
  return [
    { ...one, first, second, better },
    { ...one, first: second, second: first, better: turned, labels: { A: second, B: first } },
  ]
}

const config = findings({ j: { one: 5, two: 5, three: 1 } }).config
const yoursWith = (pairs: readonly Pair[], of = pairs.length) => ({ config, yours: { pairs, of } })
const row = (name: string, score: number) => ({ name, judgements: [{ judge: 'j', score }] })

describe('agreement with you', () => {
  test('both orders are one comparison: a win and a tie are a win, two wins that differ are a tie', () => {
    const you = [
      ...found('you', 'one', 'two', 'one', null),
      ...found('you', 'one', 'three', 'one', 'three'),
      ...found('you', 'two', 'three', 'two'),
    ]
    const pairs = comparedOf([
      ...found('j', 'two', 'one', 'one'),
      ...found('j', 'three', 'one', null),
      ...found('j', 'three', 'two', 'three'),
    ])
    expect(yoursOf(yoursWith(you), pairs, [])).toMatchObject({
      answered: 6,
      compared: 3,
      consistent: 1,
      agreement: [{ judge: 'j', n: 3, agreed: 2, tooFew: true }],
    })
  })

  test('only what both compared in both orders counts', () => {
    const you = [...found('you', 'one', 'two', 'one'), ...found('you', 'one', 'three', 'one').slice(0, 1)]
    const pairs = comparedOf([...found('j', 'one', 'three', 'one'), ...found('j', 'one', 'two', 'two').slice(0, 1)])
    expect(yoursOf(yoursWith(you, 6), pairs, [])).toMatchObject({
      answered: 3,
      of: 6,
      compared: 1,
      agreement: [{ n: 0, agreed: 0, kappa: null }],
    })
  })

  test('by the rubric, a judge prefers whom it gave more, and equal scores are a tie', () => {
    const you = [...found('you', 'one', 'two', null), ...found('you', 'three', 'one', 'one'), ...found('you', 'two', 'three', 'three')]
    expect(yoursOf(yoursWith(you), [], [row('one', 80), row('two', 80), row('three', 20)])).toMatchObject({
      agreement: [{ judge: 'j', n: 3, agreed: 2 }],
    })
  })

  test('comparisons of a judge take precedence over its scores', () => {
    const rows = [row('one', 80), row('two', 20)]
    const you = found('you', 'one', 'two', 'one')
    expect(yoursOf(yoursWith(you), comparedOf(found('j', 'one', 'two', 'two')), rows)?.agreement).toMatchObject([{ n: 1, agreed: 0 }])
  })

  test('kappa does not depend on which of two is named first', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const all = names.flatMap((a, place) => names.slice(place + 1).map((b) => [a, b] as const))
    const answers = all.map(([a, b], index) => ({ a, b, you: [a, b, null][index % 3] ?? null, other: [a, a, b, null][index % 4] ?? null }))
    const kappaOf = (isTurned: (index: number) => boolean): unknown => {
      const you = answers.flatMap(({ a, b, you }, index) => (isTurned(index) ? found('you', b, a, you) : found('you', a, b, you)))
      const pairs = comparedOf(answers.flatMap(({ a, b, other }) => found('j', a, b, other)))
      const [agreement] = yoursOf(yoursWith(you), pairs, [])?.agreement ?? []
      expect(agreement).toMatchObject({ n: 15, tooFew: false })
      return agreement?.kappa
    }
    expect(kappaOf(() => true)).toBe(kappaOf(() => false))
    expect(kappaOf((index) => index % 2 === 0)).toBe(kappaOf(() => false))
    expect(kappaOf(() => false)).toEqual(expect.any(Number))
  })

  test('without an answer there is nothing to say', () => {
    expect(yoursOf({ config, yours: null }, [], [])).toBeNull()
  })
})
