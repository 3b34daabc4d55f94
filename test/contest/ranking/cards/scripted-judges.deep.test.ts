import { expect, test } from 'vitest'
import { cardOn, type Fault, failedOf, type Placed } from '../../../../src/contest/ranking/cards/card.ts'
import type { BothOrders } from '../../../../src/contest/ranking/cards/position.ts'
import type { Rating } from '../../../../src/contest/ranking/cards/ratings.ts'
import { type RubricTrial, type Stood, stoodByRubric } from '../../../../src/contest/ranking/cards/trial.ts'
import { seeded } from '../../../../src/contest/ranking/probability/random.ts'
import { firstPlaceOf } from '../../../../src/contest/ranking/strength/first-place.ts'
import { leastSquares } from '../../../../src/contest/ranking/strength/least-squares.ts'

/** The true points, out of 100. The first is the best, and the last but one is of the family of a partial judge. */
const truth = [70, 60, 52, 48, 40]
const kin = 3
const briefs = 12
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
  mild: [(look, random) => fair(look, random) + 15, 'severity'],
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
function held(judges: Readonly<Record<string, Judge>>, random: () => number): Contest {
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
  const stood = new Map([...trials].map(([judge, own]) => [judge, stoodByRubric(own)]))
  return { ratings, placed, pairs, stood }
}

function faultsOf(judge: string, { ratings, placed, pairs, stood }: Contest): readonly Fault[] {
  const evidence = { judge, ratings, placed: placed.get(judge) ?? [], pairs: pairs.get(judge) ?? [] }
  const own = stood.get(judge) ?? stoodByRubric([])
  return cardOn({ ...evidence, isOwn: (participant) => participant === String(kin), stood: own }).caught
}

/** Returns the leader according to the judges that failed no control; null if several are possible. */
function leaderOf({ ratings, stood }: Contest): number | null {
  const failed = new Set([...stood].filter(([, each]) => failedOf(each).length > 0).map(([judge]) => judge))
  const blocks = [...Map.groupBy(ratings, ({ brief, judge }) => JSON.stringify([brief, judge])).values()].flatMap((block) => {
    const [first] = block
    if (first === undefined || failed.has(first.judge)) return []
    return [{ cluster: Number(first.brief.slice(6)), points: new Map(block.map((each) => [Number(each.participant), each.points])) }]
  })
  const estimate = leastSquares(blocks, { participants: truth.length, clusters: briefs })
  if (estimate === null) throw new Error('nothing was judged')
  return firstPlaceOf(estimate, []).leader
}

test.each(Object.entries(scripted))('a judge that is %s is caught on its card, and does not turn the verdict', (name, [judge, fault]) => {
  const random = seeded(20)
  let [caught, led, turned] = [0, 0, 0]
  for (let each = 0; each < contests; each += 1) {
    const contest = held({ one: fair, two: fair, three: fair, [name]: judge }, random)
    caught += Number(faultsOf(name, contest).includes(fault))
    const leader = leaderOf(contest)
    led += Number(leader === 0)
    turned += Number(leader !== null && leader !== 0)
  }
  expect(caught / contests).toBeGreaterThan(0.95)
  expect(turned / contests).toBeLessThan(0.05)
  expect(led / contests).toBeGreaterThan(0.5)
})

test('a fair judge is called caught in at most 5 of 100 contests', () => {
  const random = seeded(21)
  let caught = 0
  for (let each = 0; each < 4 * contests; each += 1) {
    const contest = held({ one: fair, two: fair, three: fair, four: fair }, random)
    caught += Number(faultsOf('four', contest).length > 0)
  }
  // 5%, plus the effect of chance in 1,200 contests (99 of 100).
  expect(caught / (4 * contests)).toBeLessThan(0.05 + 2.33 * Math.sqrt((0.05 * 0.95) / (4 * contests)))
})
