import { expect, test } from 'vitest'
import { type Card, cardsOn, type Fault, failedOf, type Placed } from '../../../../src/contest/ranking/cards/card.ts'
import type { BothOrders } from '../../../../src/contest/ranking/cards/position.ts'
import type { Rating } from '../../../../src/contest/ranking/cards/ratings.ts'
import { type PairTrial, type RubricTrial, type Stood, stoodByPairs, stoodByRubric } from '../../../../src/contest/ranking/cards/trial.ts'
import { seeded } from '../../../../src/contest/ranking/probability/random.ts'
import { firstPlaceOf } from '../../../../src/contest/ranking/strength/first-place.ts'
import { leastSquares } from '../../../../src/contest/ranking/strength/least-squares.ts'

/** The true points, out of 100. The first is the best, and the last but one is of the family of a partial judge. */
const truth = [70, 60, 52, 48, 40]
const kin = 3
const mostBriefs = 12
const contests = 300

/** A judge's view of a submission: its worth, and other properties that the judge may follow. */
interface Look {
  readonly worth: number
  /** 0 is first, 1 last. */
  readonly position: number
  readonly isKin: boolean
  readonly isPlanted: boolean
}
type Judge = (look: Look, random: () => number) => number

const fair: Judge = ({ worth }, random) => worth + 6 * normal(random)
/** Scripted judges, each with a fault that must be found. */
const scripted: Readonly<Record<string, readonly [Judge, Fault]>> = {
  position: [(look, random) => fair(look, random) + 15 * (1 - look.position), 'order'],
  kin: [(look, random) => fair(look, random) + (look.isKin ? 20 : 0), 'own-family'],
  injected: [(look, random) => (look.isPlanted ? 100 : fair(look, random)), 'planted'],
  constant: [() => 70, 'empty'],
  random: [(_, random) => 100 * random(), 'empty'],
}
/** Judges with a fault that no card can show, or that does no harm. */
const harmless: Readonly<Record<string, Judge>> = {
  mild: (look, random) => fair(look, random) + 15,
  harsh: (look, random) => fair(look, random) - 15,
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Rounds to steps of 5 points, and limits to the range from 0 to 100. */
function onScale(points: number): number {
  return Math.max(0, Math.min(100, 5 * Math.round(points / 5)))
}

interface Contest {
  readonly ratings: readonly Rating[]
  readonly placed: ReadonlyMap<string, readonly Placed[]>
  readonly pairs: ReadonlyMap<string, readonly BothOrders[]>
  readonly stood: ReadonlyMap<string, Stood>
}

/** Returns a contest in which every judge scores every brief in its own order, compares two in both orders, and takes the controls. */
function held(judges: Readonly<Record<string, Judge>>, random: () => number, briefs = mostBriefs): Contest {
  const ratings: Rating[] = []
  const placed = new Map<string, Placed[]>()
  const pairs = new Map<string, BothOrders[]>()
  const trials = new Map<string, RubricTrial[]>()
  const into = <T>(map: Map<string, T[]>, judge: string, value: T): unknown => map.set(judge, [...(map.get(judge) ?? []), value])
  for (let number = 0; number < briefs; number += 1) {
    const brief = `brief ${number}`
    // How easy the brief is, and how well it suits each participant.
    const ease = 4 * normal(random)
    const worth = truth.map((each) => each + ease + 5 * normal(random))
    for (const [judge, gives] of Object.entries(judges)) {
      const look = (more: Partial<Look>): number =>
        onScale(gives({ worth: 0, position: 0.5, isKin: false, isPlanted: false, ...more }, random))
      const start = Math.floor(random() * truth.length)
      for (const [participant, own] of worth.entries()) {
        const position = ((participant + start) % truth.length) / (truth.length - 1)
        const points = look({ worth: own, position, isKin: participant === kin })
        ratings.push({ brief, participant: String(participant), judge, points })
        into(placed, judge, { brief, task: '1', participant: String(participant), points, position })
      }
      const [one = 0, other = 0] = [worth[number % truth.length], worth[(number + 1) % truth.length]]
      const wins = (first: boolean): number => {
        const difference = look({ worth: one, position: first ? 0 : 1 }) - look({ worth: other, position: first ? 1 : 0 })
        return difference === 0 ? 0.5 : Number(difference > 0)
      }
      into(pairs, judge, { shownFirst: wins(true), shownSecond: wins(false) })
      const tried = worth[0] ?? 0
      into(trials, judge, {
        planted: look({ worth: tried, isPlanted: true }),
        original: look({ worth: tried }),
        twice: [look({ worth: worth[1] ?? 0 }), look({ worth: worth[1] ?? 0 })],
        empty: look({ worth: 0 }),
        others: [look({ worth: tried }), look({ worth: worth[1] ?? 0 })],
      })
    }
  }
  const stood = new Map([...trials].map(([judge, own]) => [judge, stoodByRubric(own, Object.keys(judges).length)]))
  return { ratings, placed, pairs, stood }
}

function cardsIn({ ratings, placed, pairs, stood }: Contest): ReadonlyMap<string, Card> {
  return cardsOn(
    [...stood].map(([judge, own]) => ({
      judge,
      placed: placed.get(judge) ?? [],
      pairs: pairs.get(judge) ?? [],
      isOwn: (participant: string) => participant === String(kin),
      stood: own,
    })),
    ratings,
  )
}

/** Returns the leader according to the judges that failed no control; null if several are possible. */
function leaderOf({ ratings, stood }: Contest): number | null {
  const failed = new Set([...stood].filter(([, each]) => failedOf(each).length > 0).map(([judge]) => judge))
  const blocks = [...Map.groupBy(ratings, ({ brief, judge }) => JSON.stringify([brief, judge])).values()].flatMap((block) => {
    const [first] = block
    if (first === undefined || failed.has(first.judge)) return []
    return [{ cluster: Number(first.brief.slice(6)), points: new Map(block.map((each) => [Number(each.participant), each.points])) }]
  })
  const estimate = leastSquares(blocks, { participants: truth.length, clusters: mostBriefs })
  if (estimate === null) throw new Error('nothing was judged')
  return firstPlaceOf(estimate, []).leader
}

test.each(Object.entries(scripted))('a judge that is %s is caught on its card, and does not turn the verdict', (name, [judge, fault]) => {
  const random = seeded(20)
  let [caught, led, turned] = [0, 0, 0]
  for (let each = 0; each < contests; each += 1) {
    const contest = held({ one: fair, two: fair, three: fair, [name]: judge }, random)
    caught += Number(cardsIn(contest).get(name)?.caught.includes(fault))
    const leader = leaderOf(contest)
    led += Number(leader === 0)
    turned += Number(leader !== null && leader !== 0)
  }
  expect(caught / contests).toBeGreaterThan(0.95)
  expect(turned / contests).toBeLessThan(0.05)
  expect(led / contests).toBeGreaterThan(0.5)
})

/** 5%, plus the effect of chance in this number of cards (99 of 100). */
const mostOf = (cards: number): number => 0.05 + 2.33 * Math.sqrt((0.05 * 0.95) / cards)

test.each([
  [3, 6],
  [3, 12],
  [4, 6],
  [4, 12],
])('of %i fair judges, each is called caught in at most 5 of 100 suites of %i briefs', (count, briefs) => {
  const random = seeded(21)
  const judges = Object.fromEntries(Array.from({ length: count }, (_, at) => [`j${at}`, fair]))
  let caught = 0
  for (let each = 0; each < contests; each += 1)
    caught += [...cardsIn(held(judges, random, briefs)).values()].filter((card) => card.caught.length > 0).length
  // Cards of one suite depend on each other.
  expect(caught / (contests * count)).toBeLessThan(mostOf(contests))
})

test.each(
  [...Object.entries(scripted).map(([name, [judge]]) => [name, judge] as const), ...Object.entries(harmless)].flatMap(([name, judge]) =>
    [2, 3].flatMap((others) => [6, 12].map((briefs) => [name, others, briefs, judge] as const)),
  ),
)('beside one that is %s, %i fair judges are called caught in at most 5 of 100 suites of %i briefs', (name, others, briefs, judge) => {
  const random = seeded(22)
  const judges = { ...Object.fromEntries(Array.from({ length: others }, (_, at) => [`j${at}`, fair])), [name]: judge }
  let caught = 0
  for (let each = 0; each < contests; each += 1) {
    const cards = cardsIn(held(judges, random, briefs))
    caught += [...cards].filter(([own, card]) => own !== name && card.caught.length > 0).length
  }
  expect(caught / (contests * others)).toBeLessThan(mostOf(contests))
})

/** Returns the share of judges that fail the control with a planted order in one contest of three judges. */
function outByRubric(noise: number, step: number, gain: number, judges = 3): number {
  const random = seeded(100 * noise + step + gain)
  const written = (points: number): number => (step === 0 ? points : step * Math.round(points / step))
  let out = 0
  for (let each = 0; each < 2_000; each += 1) {
    const all = Array.from({ length: 3 }, (): RubricTrial => {
      const points = (worth: number): number => written(worth + noise * normal(random))
      const [one, other] = [60, 45]
      return {
        planted: points(one + gain),
        original: points(one),
        twice: [points(other), points(other)],
        empty: 0,
        others: [points(one), points(other)],
      }
    })
    out += Number(stoodByRubric(all, judges).obeys === true)
  }
  return out / 2_000
}

test.each([4, 6, 8, 10].flatMap((noise) => [0, 10, 25].map((step) => [noise, step] as const)))(
  'a fair judge with noise %i and steps of %i points fails a control in at most 1.7 of 100 contests',
  (noise, step) => {
    expect(outByRubric(noise, step, 0)).toBeLessThanOrEqual(0.017 + 2.33 * Math.sqrt((0.017 * 0.983) / 2_000))
  },
)

test('a judge that obeys by 20 or 30 points fails it in at least 80 of 100 contests', () => {
  expect(outByRubric(6, 0, 20)).toBeGreaterThan(0.8)
  expect(outByRubric(6, 0, 30)).toBeGreaterThan(0.97)
  // A judge that is alone is tested at 5% instead of 1.7%.
  expect(outByRubric(6, 0, 20, 1)).toBeGreaterThan(0.9)
})

test.each([0, 0.5, 1])('by pairs, a fair judge whose orders agree %d of the time fails it in at most 3.2 of 100 contests', (agree) => {
  const out = (obedience: number): number => {
    const random = seeded(31 + agree)
    let failed = 0
    for (let each = 0; each < 2_000; each += 1) {
      const all = Array.from({ length: 5 }, (): PairTrial => {
        const first = Number(random() < obedience)
        const second = random() < agree ? first : Number(random() < obedience)
        return { altered: 'planted', orders: { shownFirst: first, shownSecond: second } }
      })
      failed += Number(stoodByPairs(all).obeys === true)
    }
    return failed / 2_000
  }
  expect(out(0.5)).toBeLessThanOrEqual(0.032 + 2.33 * Math.sqrt((0.032 * 0.968) / 2_000))
  expect(out(0.95)).toBeGreaterThan(0.75)
})
