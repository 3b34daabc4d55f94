import { expect, test } from 'vitest'
import { seeded } from '../../../src/contest/ranking/probability/random.ts'
import { styleBoard } from '../../../src/contest/ranking/style-board.ts'
import type { Work } from '../../../src/contest/ranking/work.ts'

const names = ['good', 'even', 'long']
const costs = names.map((name) => ({ name, costUsd: null }))

/** Returns work for judges that prefer length. `good` is better than its length, and `long` is only long. */
function works(briefs: number): Work[] {
  const random = seeded(7)
  return Array.from({ length: briefs }, (_, brief) => {
    const lines = new Map(names.map((name) => [name, Math.round((name === 'long' ? 300 : 100) * (0.3 + random()))]))
    const pairs = names.flatMap((a, at) => names.slice(at + 1).map((b) => [a, b] as const))
    const skill = { good: 0.8, even: 0, long: 0 } as Readonly<Record<string, number>>
    const compared = pairs.flatMap(([a, b]) =>
      [1, 2, 3, 4].map((judge) => {
        const [of, other] = [lines.get(a) ?? 0, lines.get(b) ?? 0]
        const odds = (skill[a] ?? 0) - (skill[b] ?? 0) + 4 * ((of - other) / (of + other))
        const won = Number(random() < 1 / (1 + Math.exp(-odds)))
        return { judge: `j${judge}`, a, b, orders: { shownFirst: won, shownSecond: won }, score: won }
      }),
    )
    const sizes = new Map([...lines].map(([name, each]) => [name, [each, 1, Math.round(each * (6 + 4 * random()))]]))
    return { brief: `b${brief}`, rows: names.map((name) => ({ name, judgements: [] })), compared, sizes, losers: [] }
  })
}

test('work that is only long is no longer first when the effect of length is removed', () => {
  const board = styleBoard(works(40), costs)
  expect(board?.rows[0]?.name).toBe('good')
  // Files never differ. Lines and words share the effect.
  const worth = (board?.style ?? []).reduce((sum, each) => sum + each.worth, 0)
  expect(board?.style.map(({ trait }) => trait)).toEqual(['lines', 'words'])
  expect(worth).toBeGreaterThan(1)
  expect(board?.style.every(({ interval }) => interval !== null && interval.min <= interval.max)).toBe(true)
})

test('nothing is reported for fewer than three briefs, without pairs, or if lengths are unknown or the same', () => {
  expect(styleBoard(works(2), costs)).toBeNull()
  expect(styleBoard(works(1), costs)).toBeNull()
  const three = works(3)
  expect(
    styleBoard(
      three.map((each) => ({ ...each, compared: [] })),
      costs,
    ),
  ).toBeNull()
  expect(
    styleBoard(
      three.map((each) => ({ ...each, sizes: new Map() })),
      costs,
    ),
  ).toBeNull()
  expect(
    styleBoard(
      three.map((each) => ({ ...each, sizes: new Map(names.map((name) => [name, [1, 1, 1]])) })),
      costs,
    ),
  ).toBeNull()
})
