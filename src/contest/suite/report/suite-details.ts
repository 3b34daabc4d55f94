import { hundredths } from '../../ranking/score.ts'
import { isByPairs, type Work } from '../../ranking/work.ts'
import type { SuiteSummary } from './suite-summary.ts'

type Details = SuiteSummary['details']

/** The result of one participant in one contest. `score`: from 0 to 100, the mean over judges or the share of comparisons that it won. */
interface Result {
  readonly brief: string
  readonly name: string
  readonly score: number
}

const [mostWorst, mostDifferences] = [3, 5]

/**
 * Returns what is behind the ranking of a suite: where each participant is worst and how much repeats differ, results by tag, the briefs in
 * which the first two differ most, who beats whom, and the means by dimension. `works` are those that the ranking counts, `names` the
 * participants in the order of the ranking, and `briefs` have their tags.
 */
export function detailsOf(
  works: readonly Work[],
  names: readonly string[],
  briefs: readonly { readonly name: string; readonly tags: readonly string[] }[],
): Details {
  const results = works.flatMap(isByPairs(works) ? resultsByPairs : resultsByRubric)
  const byBrief = Map.groupBy(results, ({ brief }) => brief)
  const scoreIn = (brief: string, name: string): number | null =>
    meanOf((byBrief.get(brief) ?? []).flatMap((each) => (each.name === name ? [each.score] : [])))
  const scoresOf = (name: string, among: readonly string[]) =>
    among.flatMap((brief) => {
      const score = scoreIn(brief, name)
      return score === null ? [] : [{ brief, score }]
    })
  const all = [...byBrief.keys()]
  const tags = [...new Set(briefs.flatMap((each) => each.tags))].toSorted()
  const [first, second] = names.filter((name) => results.some((each) => each.name === name))
  return {
    participants: names.map((name) => ({
      name,
      worst: scoresOf(name, all)
        .toSorted((a, b) => a.score - b.score)
        .slice(0, mostWorst)
        .map(rounded),
      repeatSd: repeatSdOf(results.filter((each) => each.name === name)),
      dimensions: dimensionsOf(works, name),
    })),
    tags: tags.map((tag) => {
      const own = briefs.filter((each) => each.tags.includes(tag)).map(({ name }) => name)
      const scores = names.map((name) => ({ name, score: meanOf(scoresOf(name, own).map(({ score }) => score)) }))
      return {
        tag,
        briefs: own.length,
        scores: scores.map((each) => ({ ...each, score: each.score === null ? null : hundredths(each.score) })),
      }
    }),
    differences:
      first === undefined || second === undefined
        ? []
        : all
            .flatMap((brief) => {
              const [a, b] = [scoreIn(brief, first), scoreIn(brief, second)]
              return a === null || b === null || a === b ? [] : [{ brief, first: hundredths(a), second: hundredths(b) }]
            })
            .toSorted((one, other) => Math.abs(other.first - other.second) - Math.abs(one.first - one.second))
            .slice(0, mostDifferences),
    meetings: meetingsOf(names, all, scoreIn),
  }
}

function resultsByRubric({ brief, rows }: Work): Result[] {
  return rows.flatMap(({ name, judgements }) => {
    const score = meanOf(judgements.map((each) => each.score))
    return score === null ? [] : [{ brief, name, score }]
  })
}

function resultsByPairs({ brief, compared }: Work): Result[] {
  const sides = compared.flatMap(({ a, b, score }) => [
    { name: a, score: 100 * score },
    { name: b, score: 100 - 100 * score },
  ])
  return [...Map.groupBy(sides, ({ name }) => name)].map(([name, own]) => ({
    brief,
    name,
    score: meanOf(own.map(({ score }) => score)) ?? 0,
  }))
}

/** Returns the standard deviation between repeats of the same brief, pooled over briefs; null if no brief was repeated. */
function repeatSdOf(results: readonly Result[]): number | null {
  const repeated = [...Map.groupBy(results, ({ brief }) => brief).values()].filter((own) => own.length > 1)
  const degrees = repeated.reduce((sum, own) => sum + own.length - 1, 0)
  if (degrees === 0) return null
  const squares = repeated.map((own) => {
    const mean = meanOf(own.map(({ score }) => score)) ?? 0
    return own.reduce((sum, { score }) => sum + (score - mean) ** 2, 0)
  })
  return hundredths(Math.sqrt(squares.reduce((sum, each) => sum + each, 0) / degrees))
}

/** Returns the means of a participant's scores by dimension, on the scale of the rubric. */
function dimensionsOf(works: readonly Work[], name: string): Record<string, number> {
  const given = works.flatMap(({ rows }) =>
    rows.flatMap((row) => (row.name === name ? row.judgements.flatMap((each) => Object.entries(each.dimensions)) : [])),
  )
  return Object.fromEntries(
    [...Map.groupBy(given, ([id]) => id)].map(([id, own]) => [id, hundredths(meanOf(own.map(([, value]) => value)) ?? 0)]),
  )
}

/** Returns in how many briefs each participant has a higher score than each other one. Equal scores are half. */
function meetingsOf(
  names: readonly string[],
  briefs: readonly string[],
  scoreIn: (brief: string, name: string) => number | null,
): Details['meetings'] {
  return names.flatMap((a) =>
    names.flatMap((b) => {
      const both = briefs.flatMap((brief) => {
        const [one, other] = [scoreIn(brief, a), scoreIn(brief, b)]
        return a === b || one === null || other === null ? [] : [one > other ? 1 : one === other ? 0.5 : 0]
      })
      return both.length === 0 ? [] : [{ a, b, won: both.reduce((sum, each) => sum + each, 0), of: both.length }]
    }),
  )
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length
}

function rounded<T extends { readonly score: number }>(each: T): T {
  return { ...each, score: hundredths(each.score) }
}
