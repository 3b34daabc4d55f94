import { standingOf } from '../judging/standing.ts'
import { agreementsOf, cardOf, certaintyOf } from '../ranking/certainty.ts'
import type { Findings } from '../ranking/findings.ts'
import { notesOf } from '../ranking/notes.ts'
import { comparedOf } from '../ranking/pairs.ts'
import { ranked, rankedBy } from '../ranking/rank.ts'
import { checksOf, judgementsOf, spreadOf, totalScore } from '../ranking/score.ts'
import { isFailureToRun } from '../run/outcome.ts'
import type { ParticipantStatus } from '../state/status.ts'
import type { NotRanked, Ranked, Summary } from './summary.ts'
import { verdictSentence } from './verdict.ts'

/** Makes the summary: who ranks where and why, and who could not be ranked. Pure. */
export function summarise(findings: Findings, now: Date): Summary {
  const { config, status } = findings
  const compared = comparedOf(findings.pairs)
  const scored = findings.scores.size > 0 || compared.length > 0
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
      costUsd: costOf(at),
      attempts: at?.attempt ?? 0,
    }
    const outcome = at?.outcome ?? null
    if (outcome?.kind !== 'delivered' || seal === undefined) {
      notRanked.push({ ...role, failedToRun: outcome === null || isFailureToRun(outcome), outcome, dropped: seal?.dropped ?? [] })
      continue
    }
    const judgements = judgementsOf(name, findings)
    const checks = checksOf(findings.checks.get(name) ?? [])
    rows.push({
      ...role,
      rank: null,
      score: totalScore(judgements, checks, scored),
      interval: null,
      strength: null,
      spread: spreadOf(judgements),
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
  const certainty = certaintyOf(config.name, rows, compared)
  const ranking = ranked(rows.map((row) => ({ ...row, ...certainty?.standings.get(row.name) })))
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
    rankedBy: rankedBy(ranking, scored),
    verdict: certainty === null ? null : { sentence: verdictSentence(certainty.verdict, ranking), ...certainty.verdict },
    ranking,
    notRanked,
    judges: config.judges.map(({ name, agent, model }) => {
      const at = standingOf(name, findings.judging.tasks)
      return {
        name,
        agent,
        model: model ?? null,
        durationMs: at.durationMs,
        tokens: at.usage,
        costUsd: costOf(at),
        attempts: at.attempt,
        state: at.state,
        why: at.state === 'failed' ? (at.outcome?.message ?? 'it gave no scores') : null,
        hint: at.state === 'failed' ? (at.outcome?.hint ?? null) : null,
        comment: findings.scores.get(name)?.comment ?? null,
        card: cardOf(name, config.name, rows, compared),
        review: findings.scores.has(name) ? (findings.reviews.get(name) ?? null) : null,
        labels: findings.scores.has(name) ? Object.fromEntries(findings.labels.get(name) ?? []) : null,
      }
    }),
    pairs: [...findings.pairs],
    agreement: agreementsOf(config.rubric, [...findings.scores.keys()], rows),
    notes: notesOf(findings, ranking, notRanked),
  }
}

/** What all attempts cost together; null if none of them said. */
function costOf(at: Pick<ParticipantStatus, 'costUsd' | 'earlierCostUsd'> | undefined): number | null {
  const earlier = at?.earlierCostUsd ?? 0
  return earlier > 0 ? earlier + (at?.costUsd ?? 0) : (at?.costUsd ?? null)
}
