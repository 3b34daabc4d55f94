import { boardRows } from './board-rows.ts'
import { comparisonsIn, scaleOfShares } from './certainty.ts'
import type { Summary } from './contest-summary.ts'
import { ranked } from './rank.ts'
import { hundredths } from './score.ts'
import { bradleyTerry } from './strength/bradley-terry.ts'
import { intervalsOf } from './strength/intervals.ts'
import { ranksOf } from './strength/ranks.ts'
import { styleOf } from './strength/style.ts'
import { type Competitor, judgedIn, type Work } from './work.ts'

/** The traits whose values are in `sizes` of a work, in this order. */
export const traits = ['lines', 'files', 'words'] as const

const fewestBriefs = 3

/**
 * Returns the ranking without the effect of length: Bradley–Terry with style as covariates. Null without pairs, or for fewer than three
 * briefs. With one brief, a submission has only one length, so its effect cannot be separated from quality.
 */
export function styleBoard(works: readonly Work[], all: readonly Omit<Competitor, 'score'>[]): Summary['boards'][number] | null {
  const known = works
    .map((work) => ({ ...work, compared: work.compared.filter(({ a, b }) => work.sizes.has(a) && work.sizes.has(b)) }))
    .filter(({ compared }) => compared.length > 0)
  if (new Set(known.map(({ brief }) => brief)).size < fewestBriefs) return null
  const names = judgedIn(
    known,
    all.map(({ name }) => name),
  )
  const places = new Map(names.map((name, place) => [name, place]))
  const { comparisons, count } = comparisonsIn(known, places)
  const sizes = known.flatMap(({ compared, sizes: of }) => compared.map(({ a, b }) => ({ a: of.get(a) ?? [], b: of.get(b) ?? [] })))
  const style = styleOf(sizes)
  if (style.traits.length === 0) return null
  const estimate = bradleyTerry(
    comparisons.map((each, at) => ({ ...each, covariates: style.covariates[at] ?? [] })),
    { participants: names.length, clusters: count, covariates: style.traits.length },
  )
  if (estimate === null) return null
  const intervals = intervalsOf(estimate)
  const ranks = ranksOf(estimate, { seed: 1 })
  const scale = scaleOfShares(estimate)
  const standings = new Map(
    names.map((name, place) => {
      const of = scale.interval(place)
      const interval = of === null ? null : { min: hundredths(Math.max(0, of.low)), max: hundredths(Math.min(100, of.high)) }
      const strength = {
        unit: 'log odds' as const,
        estimate: estimate.strengths[place] ?? 0,
        interval: null,
        ranks: ranks?.ranges[place] ?? null,
        behind: null,
      }
      return [name, { score: hundredths(scale.score(place)), interval, strength }]
    }),
  )
  const placed = ranked(
    names.map((name) => ({ name, score: null })),
    { standings },
  )
  return {
    id: 'with-style',
    front: [],
    rows: boardRows(placed),
    style: style.traits.map((trait, at) => {
      const of = intervals?.coefficients[at]
      return {
        trait: traits[trait] ?? 'lines',
        worth: hundredths(estimate.coefficients[at] ?? 0),
        interval: of === undefined ? null : { min: hundredths(of.low), max: hundredths(of.high) },
      }
    }),
  }
}
