import { describe, expect, test } from 'vitest'
import { favouritesOf } from '../../../../src/contest/ranking/cards/favourites.ts'
import type { Rating } from '../../../../src/contest/ranking/cards/ratings.ts'
import { seeded } from '../../../../src/contest/ranking/probability/random.ts'
import { summaryOf } from '../../../support/suite-findings.ts'

const random = seeded(8)
const normal = (sd: number): number => sd * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const list = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at))
const rounded = (points: number): number => Math.max(0, Math.min(100, Math.round(points / 5) * 5))

interface Drawn {
  readonly briefs: number
  readonly judges?: number
  readonly participants?: number
  /** The standard deviation of each judge's taste for each participant. */
  readonly taste: number
  /** Whether the first judge always gives the first participant the top of the scale. */
  readonly isObeyed?: boolean
}

/** Draws the ratings of a suite. Judges differ in severity by a standard deviation of 8, and have a noise of 6. */
function drawn({ briefs, judges = 3, participants = 5, taste, isObeyed = false }: Drawn): Rating[] {
  const who = list(judges, (at) => ({ name: `j${at}`, level: normal(8), tastes: list(participants, () => normal(taste)) }))
  const qualities = list(participants, (at) => (at === 0 && isObeyed ? 45 : 60 + normal(10)))
  return list(briefs, (brief) => {
    const works = qualities.map((quality) => quality + normal(10))
    return who.flatMap(({ name, level, tastes }, judge) =>
      works.map((work, at) => ({
        brief: `b${brief}`,
        judge: name,
        participant: `p${at}`,
        points: isObeyed && judge === 0 && at === 0 ? 100 : rounded(work + level + (tastes[at] ?? 0) + normal(6)),
      })),
    )
  }).flat()
}

const share = (suites: number, of: Drawn, isHit: (found: ReturnType<typeof favouritesOf>) => boolean): number =>
  list(suites, () => isHit(favouritesOf(drawn(of)))).filter(Boolean).length / suites

describe('favourites of judges', () => {
  for (const [judges, participants] of [
    [3, 2],
    [3, 5],
    [4, 4],
  ] as const)
    test(`${judges} judges, ${participants} participants: who obeys is found in 95% of suites of 6 briefs, a taste of sd 4 in 1%`, () => {
      const obeyed = share(300, { briefs: 6, judges, participants, taste: 4, isObeyed: true }, (found) =>
        found.some(({ judge, participant }) => judge === 'j0' && participant === 'p0'),
      )
      expect(obeyed).toBeGreaterThanOrEqual(0.95)
      const fair = share(600, { briefs: 6, judges, participants, taste: 4 }, (found) => found.length > 0)
      expect(fair).toBeLessThanOrEqual(0.01)
    })

  test('need six briefs and three judges', () => {
    expect(favouritesOf(drawn({ briefs: 5, taste: 0, isObeyed: true }))).toEqual([])
    expect(favouritesOf(drawn({ briefs: 12, judges: 2, taste: 0, isObeyed: true }))).toEqual([])
  })

  test('are noted in a suite and excluded from nothing', () => {
    const points = { a: 70, b: 60, c: 50 }
    const summary = summaryOf({
      names: ['a', 'b', 'c'],
      contests: list(6, (brief) => ({
        scores: { j: { ...points, c: 80 + (brief % 3) }, k: { ...points, a: 70 + (brief % 2) }, l: points },
      })),
    })
    expect(summary.notes).toContain(
      'Judge j rates c 31.1 points above what the other judges and its own level predict. It may obey an order in the submissions, or have a taste: see the lines that the reports of the contests list.',
    )
    expect(summary.notes.filter((note) => note.startsWith('Judge '))).toHaveLength(1)
    expect(summary.boards.map(({ id }) => id)).not.toContain('all-judges')
  })
})
