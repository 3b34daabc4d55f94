import type { ContestConfig } from '../config/schema.ts'
import type { CheckResult } from '../run/checks.ts'
import { isFailureToRun } from '../run/outcome.ts'
import type { Findings } from './findings.ts'
import { notesOf } from './notes.ts'
import type { Judgement, NotRanked, Ranked, Summary } from './summary.ts'

/** Makes the summary: who ranks where and why, and who could not be ranked. Pure. */
export function summarise(findings: Findings, now: Date): Summary {
  const { config, status } = findings
  const scored = findings.scores.size > 0
  const rows: Ranked[] = []
  const notRanked: NotRanked[] = []
  for (const { name, agent, model } of config.participants) {
    const at = status.participants[name]
    const seal = findings.seals.get(name)
    const role = {
      name,
      agent,
      model: model ?? null,
      durationMs: at?.durationMs ?? null,
      tokens: at?.usage ?? null,
      costUsd: at?.costUsd ?? null,
      attempts: at?.attempt ?? 0,
    }
    const outcome = at?.outcome ?? null
    if (outcome?.kind !== 'delivered' || seal === undefined) {
      notRanked.push({ ...role, failedToRun: outcome === null || isFailureToRun(outcome), outcome, dropped: seal?.dropped ?? [] })
      continue
    }
    const judgements = judgementsOf(name, findings)
    const checks = checksOf(findings.checks.get(name) ?? [])
    const each = judgements.map((one) => one.score)
    rows.push({
      ...role,
      rank: null,
      score: scored ? mean(each) : checks.share === null ? null : round(checks.share * 100),
      spread: each.length === 0 ? null : { min: Math.min(...each), max: Math.max(...each) },
      judgements,
      checks,
      outcome,
      files: seal.files.length,
      bytes: seal.bytes,
      tree: seal.tree,
      dropped: seal.dropped,
      droppedCount: seal.droppedCount,
      secrets: seal.secrets ?? null,
    })
  }
  const ranking = ranked(rows)
  const rankedBy = scored ? 'judges' : ranking.some((each) => each.score !== null) ? 'checks' : 'nothing'
  return {
    schemaVersion: 1,
    contest: config.name,
    description: config.description ?? null,
    round: status.round,
    judging: findings.judging.number,
    unfinishedJudging: findings.judging.unfinished,
    generatedAt: now.toISOString(),
    scale: config.rubric?.scale ?? null,
    dimensions: config.rubric?.dimensions ?? [],
    rankedBy,
    ranking,
    notRanked,
    judges: config.judges.map(({ name, agent, model }) => {
      const at = findings.judging.judges[name]
      return {
        name,
        agent,
        model: model ?? null,
        durationMs: at?.durationMs ?? null,
        tokens: at?.usage ?? null,
        costUsd: at?.costUsd ?? null,
        attempts: at?.attempt ?? 0,
        state: at?.state ?? 'pending',
        why: at?.state === 'failed' ? (at.outcome?.message ?? 'it gave no scores') : null,
        hint: at?.state === 'failed' ? (at.outcome?.hint ?? null) : null,
        comment: findings.scores.get(name)?.comment ?? null,
        review: findings.scores.has(name) ? (findings.reviews.get(name) ?? null) : null,
        labels: findings.scores.has(name) ? Object.fromEntries(findings.labels.get(name) ?? []) : null,
      }
    }),
    notes: notesOf(findings, ranking, notRanked),
  }
}

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

function judgementsOf(name: string, { config, scores, labels }: Findings): Judgement[] {
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

function checksOf(results: readonly CheckResult[]): Ranked['checks'] {
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

/** Best first; equal scores share the better rank; those without a score come last, by name. */
function ranked(rows: readonly Ranked[]): Ranked[] {
  const sorted = rows.toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1) || (a.name < b.name ? -1 : 1))
  return sorted.map((row) => ({
    ...row,
    rank: row.score === null ? null : 1 + sorted.filter((other) => other.score !== null && other.score > (row.score ?? 0)).length,
  }))
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : round(values.reduce((sum, each) => sum + each, 0) / values.length)
}

/** Scores are compared as they are shown: to two places. */
function round(value: number): number {
  return Math.round(value * 100) / 100
}
