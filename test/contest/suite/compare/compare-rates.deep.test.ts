import { describe, expect, test } from 'vitest'
import { seeded } from '../../../../src/contest/ranking/probability/random.ts'
import { briefDifference } from '../../../../src/contest/suite/compare/brief-difference.ts'
import { testGate } from '../../../../src/contest/suite/compare/compare-gates.ts'
import { heavy, normal } from '../../ranking/strength/populations.ts'

/** The number of comparisons for each rate. A rate of 5% then has a standard error of 0.5%. */
const comparisons = Number(process.env['PADDOCK_COMPARISONS'] ?? 2_000)
const gate = { text: 'worse by 3', least: 3 }

interface Made {
  readonly briefs: number
  readonly participants: number
  /** Draws the difference of one brief, whose mean is zero. */
  readonly draw: (random: () => number) => number
  /** The true loss of the first participant. */
  readonly loss: number
}

/** Returns the share of comparisons in which the first participant fails the gate, and in which any fails. */
function rates({ briefs, participants, draw, loss }: Made, seed: number): { readonly first: number; readonly any: number } {
  const random = seeded(seed)
  let [first, any] = [0, 0]
  for (let each = 0; each < comparisons; each += 1) {
    const all = Array.from({ length: participants }, (_, place) => ({
      participant: `p${place}`,
      difference: briefDifference(Array.from({ length: briefs }, () => draw(random) - (place === 0 ? loss : 0))),
      isComparable: true,
      basis: 'side-by-side' as const,
    }))
    const failed = testGate(gate, 'score', all, false).map(({ state }) => state === 'failed')
    first += Number(failed[0] === true)
    any += Number(failed.includes(true))
  }
  return { first: first / comparisons, any: any / comparisons }
}

const spread =
  (sd: number) =>
  (random: () => number): number =>
    sd * normal(random)
/** The difference of two works that pass a check with this chance. */
const checked =
  (chance: number) =>
  (random: () => number): number =>
    100 * (Number(random() < chance) - Number(random() < chance))
/** The mean difference over two repeats. Each judge's answer has noise of its own. */
const repeated = (random: () => number): number => (spread(12)(random) + spread(12)(random)) / 2 + spread(6)(random)

describe('one participant over 12 briefs', () => {
  test('a loss of 10 points is found in at least 90% if differences vary by 10 points', () => {
    const { first } = rates({ briefs: 12, participants: 1, draw: spread(10), loss: 10 }, 1)
    expect(first).toBeGreaterThanOrEqual(0.9)
  })

  test('the rate for differences that vary by 14 points is known', () => {
    const { first } = rates({ briefs: 12, participants: 1, draw: spread(14), loss: 10 }, 2)
    console.info(`loss of 10 points, standard deviation 14, 12 briefs: found in ${(100 * first).toFixed(1)}%`)
    expect(first).toBeGreaterThan(0.6)
    expect(first).toBeLessThan(0.85)
  })
})

const populations: Readonly<Record<string, Made['draw']>> = {
  normal: spread(10),
  'heavy tails': (random) => 10 * heavy(random),
  'means of repeats': repeated,
  'checks that half of the works pass': checked(0.5),
  'checks that most works pass': checked(0.9),
}

describe.for(Object.entries(populations))('without a loss, by %s', ([, draw]) => {
  test.for([
    [3, 1],
    [5, 1],
    [12, 1],
    [12, 4],
    [50, 4],
  ] as const)('%i briefs and %i participants fail in at most 5%', ([briefs, participants]) => {
    const { any } = rates({ briefs, participants, draw, loss: 0 }, 100 * briefs + participants)
    // Two standard errors of the simulation.
    expect(any).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / comparisons))
  })
})
