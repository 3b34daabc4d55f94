import type { ContestConfig } from '../config/schema.ts'
import type { Judgement, Ranked } from '../report/summary.ts'
import type { CheckResult } from '../run/checks.ts'
import type { Findings } from './findings.ts'

/** The weighted mean of a judge's scores for one submission, from 0 (all at the bottom of the scale) to 100, over the dimensions that it scored. */
export function scoreOf(dimensions: Readonly<Record<string, number>>, rubric: NonNullable<ContestConfig['rubric']>): number {
  const { min, max } = rubric.scale
  let total = 0
  let weights = 0
  for (const { id, weight } of rubric.dimensions) {
    const score = dimensions[id]
    // It was added to the rubric later.
    if (score === undefined) continue
    total += weight * ((score - min) / (max - min))
    weights += weight
  }
  return round((total / weights) * 100)
}

/** Returns what each judge gave to a submission, with its score for the whole. */
export function judgementsOf(name: string, { config, scores, labels }: Findings): Judgement[] {
  const { rubric } = config
  if (rubric === undefined) return []
  return [...scores].flatMap(([judge, given]) => {
    const label = [...(labels.get(judge) ?? [])].find(([, participant]) => participant === name)?.[0]
    const dimensions = label === undefined ? undefined : given.scores[label]
    if (label === undefined || dimensions === undefined || !rubric.dimensions.some(({ id }) => Object.hasOwn(dimensions, id))) return []
    const review = Object.hasOwn(given.reviews, label) ? (given.reviews[label] ?? null) : null
    return [{ judge, label, dimensions: { ...dimensions }, score: scoreOf(dimensions, rubric), review }]
  })
}

/** Returns how many checks a submission passed, of those that could be run, and their share by weight. */
export function checksOf(results: readonly CheckResult[]): Ranked['checks'] {
  const counted = results.filter((each) => each.result !== 'could-not-run')
  const passed = counted.filter((each) => each.result === 'passed')
  const weight = (list: readonly CheckResult[]): number => list.reduce((sum, each) => sum + each.weight, 0)
  return {
    passed: passed.length,
    counted: counted.length,
    share: counted.length === 0 ? null : weight(passed) / weight(counted),
    results: [...results],
  }
}

/** Returns the score of a submission: the mean over judges or, if nobody judged, the share of checks that passed; null if there is neither. */
export function totalScore(judgements: readonly Judgement[], checks: Ranked['checks'], judged: boolean): number | null {
  if (judged) return mean(judgements.map((each) => each.score))
  return checks.share === null ? null : round(checks.share * 100)
}

/** Returns the lowest and the highest score that judges gave. */
export function spreadOf(judgements: readonly Judgement[]): Ranked['spread'] {
  const scores = judgements.map((each) => each.score)
  return scores.length === 0 ? null : { min: Math.min(...scores), max: Math.max(...scores) }
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : round(values.reduce((sum, each) => sum + each, 0) / values.length)
}

/** Scores are compared as they are shown: to two places. */
function round(value: number): number {
  return Math.round(value * 100) / 100
}
