import type { ContestConfig } from '../config/contest-schema.ts'
import type { CheckResult } from '../state/check-result.ts'
import type { Judgement, Ranked } from './contest-summary.ts'
import type { Findings } from './findings.ts'

/**
 * Returns the weighted mean of a judge's scores for one submission, from 0 (all at the bottom of the scale) to 100, over the dimensions
 * that the judge scored.
 */
export function scoreOf(dimensions: Readonly<Record<string, number>>, rubric: NonNullable<ContestConfig['rubric']>): number {
  const { min, max } = rubric.scale
  let total = 0
  let weights = 0
  for (const { id, weight } of rubric.dimensions) {
    const score = dimensions[id]
    // The dimension was added to the rubric after the judge answered.
    if (score === undefined) continue
    total += weight * ((score - min) / (max - min))
    weights += weight
  }
  return hundredths((total / weights) * 100)
}

/** Returns each judge's scores for a submission, as means over the judge's answers, with a total score. */
export function judgementsOf(name: string, { config, answers }: Pick<Findings, 'config' | 'answers'>): Judgement[] {
  const { rubric } = config
  if (rubric === undefined) return []
  const own = answers.flatMap(({ judge, labels, scores, citations }) => {
    const label = Object.keys(labels).find((each) => labels[each] === name)
    const dimensions = label === undefined ? undefined : scores.scores[label]
    if (label === undefined || dimensions === undefined || !rubric.dimensions.some(({ id }) => Object.hasOwn(dimensions, id))) return []
    const review = Object.hasOwn(scores.reviews, label) ? (scores.reviews[label] ?? null) : null
    const cited = citations.filter((each) => each.label === label)
    return [{ judge, label, dimensions, review, citations: cited.map(({ label: _, ...each }) => each) }]
  })
  return [...Map.groupBy(own, ({ judge }) => judge).values()].flatMap((given) => {
    const [first] = given
    if (first === undefined) return []
    const ids = [...new Set(given.flatMap((each) => Object.keys(each.dimensions)))]
    const dimensions = Object.fromEntries(
      ids.map((id) => [id, average(given.flatMap((each) => (Object.hasOwn(each.dimensions, id) ? [each.dimensions[id] ?? 0] : [])))]),
    )
    return [{ ...first, dimensions, score: scoreOf(dimensions, rubric) }]
  })
}

/** Returns how many of the checks that could be run a submission passed, and their share by weight. */
export function checksOf(results: readonly CheckResult[]): Ranked['checks'] {
  const counted = results.filter((each) => each.result !== 'could-not-run')
  const passed = counted.filter((each) => each.result === 'passed')
  const weight = counted.reduce((sum, each) => sum + each.weight, 0)
  const reward = counted.reduce((sum, each) => sum + each.weight * (each.reward ?? Number(each.result === 'passed')), 0)
  return {
    passed: passed.length,
    counted: counted.length,
    share: counted.length === 0 ? null : reward / weight,
    results: [...results],
  }
}

/** Returns the score of a submission: the mean over judges; null if nobody judged it. */
export function totalScore(judgements: readonly Pick<Judgement, 'score'>[]): number | null {
  return mean(judgements.map((each) => each.score))
}

/** Returns the share of checks that passed, out of 100; null without checks. */
export function scoreByChecks({ share }: Ranked['checks']): number | null {
  return share === null ? null : hundredths(share * 100)
}

/** Returns the lowest and the highest score that judges gave. */
export function spreadOf(judgements: readonly Judgement[]): Ranked['spread'] {
  const scores = judgements.map((each) => each.score)
  return scores.length === 0 ? null : { min: Math.min(...scores), max: Math.max(...scores) }
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : hundredths(average(values))
}

function average(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length
}

/** Rounds a score to two decimals. Scores are compared after this rounding, as they are shown. */
export function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
