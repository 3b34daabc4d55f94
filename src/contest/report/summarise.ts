import { findingText } from '../../credentials/scan/finding.ts'
import type { CheckResult } from '../checks.ts'
import type { Scores } from '../judging/scores.ts'
import { isFailureToRun } from '../outcome.ts'
import type { ContestConfig } from '../schema.ts'
import type { Seal } from '../seal/seal-schema.ts'
import type { ContestStatus } from '../status.ts'
import type { Judgement, NotRanked, Ranked, Summary } from './summary.ts'

/** Everything that a report is made of. */
export interface Findings {
  readonly config: ContestConfig
  readonly status: ContestStatus
  /** By participant. */
  readonly seals: ReadonlyMap<string, Seal>
  readonly checks: ReadonlyMap<string, readonly CheckResult[]>
  /** By judge; only of judges that scored in the judging that counts. */
  readonly scores: ReadonlyMap<string, Scores>
  /** judge → label → participant, of that judging. */
  readonly labels: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** Makes the summary: who ranks where and why, and who could not be ranked. Pure. */
export function summarise(findings: Findings, now: Date): Summary {
  const { config, status } = findings
  const scored = findings.scores.size > 0
  const rows: Ranked[] = []
  const notRanked: NotRanked[] = []
  for (const { name, agent, model } of config.participants) {
    const at = status.participants[name]
    const seal = findings.seals.get(name)
    const contender = {
      name,
      agent,
      model: model ?? null,
      durationMs: at?.durationMs ?? null,
      tokens: at?.usage ?? null,
      costUsd: at?.costUsd ?? null,
    }
    const outcome = at?.outcome ?? null
    if (outcome?.kind !== 'delivered' || seal === undefined) {
      notRanked.push({ ...contender, failedToRun: outcome === null || isFailureToRun(outcome), outcome, dropped: seal?.dropped ?? [] })
      continue
    }
    const judgements = judgementsOf(name, findings)
    const checks = checksOf(findings.checks.get(name) ?? [])
    const each = judgements.map((one) => one.score)
    rows.push({
      ...contender,
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
    judging: status.judging,
    generatedAt: now.toISOString(),
    scale: config.rubric?.scale ?? null,
    dimensions: config.rubric?.dimensions ?? [],
    rankedBy,
    ranking,
    notRanked,
    judges: config.judges.map(({ name, agent, model }) => {
      const at = status.judges[name]
      return {
        name,
        agent,
        model: model ?? null,
        durationMs: at?.durationMs ?? null,
        tokens: at?.usage ?? null,
        costUsd: at?.costUsd ?? null,
        state: at?.state ?? 'pending',
        why: at?.state === 'failed' ? (at.outcome?.message ?? 'it gave no scores') : null,
        comment: findings.scores.get(name)?.comment ?? null,
        labels: findings.scores.has(name) ? Object.fromEntries(findings.labels.get(name) ?? []) : null,
      }
    }),
    notes: notesOf(findings, ranking, notRanked),
  }
}

/** The weighted mean of a judge's scores for one submission, from 0 (all at the bottom of the scale) to 100. */
export function scoreOf(dimensions: Readonly<Record<string, number>>, rubric: NonNullable<ContestConfig['rubric']>): number {
  const { min, max } = rubric.scale
  let total = 0
  let weights = 0
  for (const { id, weight } of rubric.dimensions) {
    total += weight * (((dimensions[id] ?? min) - min) / (max - min))
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
    if (label === undefined || dimensions === undefined) return []
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

function notesOf(findings: Findings, ranking: readonly Ranked[], notRanked: readonly NotRanked[]): string[] {
  const { config, scores, status } = findings
  const notes: string[] = []
  const asked = config.judges.length
  if (asked > 0) {
    const failed = asked - scores.size
    const counted = scores.size === 1 ? 'one judge' : `${scores.size} judges`
    notes.push(
      failed === 0 ? `Scores are the mean over ${counted}.` : `Scores are the mean over ${counted}; ${failed} of ${asked} gave no scores.`,
    )
    if (scores.size === 1) notes.push('One judge is one opinion: nothing here tells how far another would agree.')
    const widest = ranking.reduce((most, each) => Math.max(most, each.spread === null ? 0 : each.spread.max - each.spread.min), 0)
    if (scores.size > 1) notes.push(`The judges are at most ${widest.toFixed(1)} points of 100 apart on one submission.`)
  }
  for (const { name } of config.judges)
    if (status.judges[name]?.outcome?.kind === 'scores-differ')
      notes.push(
        `The scores of ${name} were refused: its last message has others than its file, which a program of a submission may have written. Ask again with --retry.`,
      )
  const top = ranking.filter((each) => each.rank === 1)
  if (top.length > 1) notes.push(`${top.map((each) => each.name).join(' and ')} share the first rank.`)
  const failures = notRanked.filter((each) => each.failedToRun).length
  if (failures > 0)
    notes.push(
      `${failures === 1 ? 'One participant' : `${failures} participants`} could not be run to the end, which says nothing about the work: run again with --retry.`,
    )
  for (const { name, secrets } of ranking) {
    if (secrets === null || secrets.findings.length === 0) continue
    const places = secrets.findings.slice(0, 5).map(findingText)
    const others = secrets.findings.length - places.length + secrets.more
    notes.push(
      `The submission of ${name} holds what looks like a secret, so look before you publish it: ${places.join('; ')}${others === 0 ? '' : `; and ${others} more`}.`,
    )
  }
  for (const { name, secrets } of ranking)
    if (secrets !== null && secrets.notLookedCount > 0)
      notes.push(
        `Not all of the submission of ${name} was searched for secrets: ${secrets.notLooked
          .slice(0, 3)
          .map((each) => `${each.path} (${each.why})`)
          .join('; ')}${secrets.notLookedCount > 3 ? `; and ${secrets.notLookedCount - 3} more` : ''}.`,
      )
  const notRun = ranking.flatMap((each) => each.checks.results).filter((each) => each.result === 'could-not-run').length
  if (notRun > 0) notes.push(`${notRun === 1 ? 'One check' : `${notRun} checks`} could not be run and count for nothing.`)
  return notes
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : round(values.reduce((sum, each) => sum + each, 0) / values.length)
}

/** Scores are compared as they are shown: to two places. */
function round(value: number): number {
  return Math.round(value * 100) / 100
}
