import { findAdapter } from '../../adapters/find-adapter.ts'
import { kinOf } from '../config/sense.ts'
import { againstBase } from '../ranking/against-base.ts'
import { boardsOf, isOwnFault } from '../ranking/boards.ts'
import { agreementsOf, certaintyOf } from '../ranking/certainty.ts'
import { type Compared, comparedOf } from '../ranking/compared-pairs.ts'
import { notesOf } from '../ranking/contest-notes.ts'
import type { NotRanked, Ranked, ReportCard, Summary } from '../ranking/contest-summary.ts'
import type { Findings, RubricAnswer } from '../ranking/findings.ts'
import { cardsOf, evidenceOn, whoFailed } from '../ranking/judge-cards.ts'
import { ranked, rankedBy, tiersByChecks } from '../ranking/rank.ts'
import { redactionOf } from '../ranking/redacted-orders.ts'
import { checksOf, judgementsOf, scoreByChecks, spreadOf, totalScore } from '../ranking/score.ts'
import { counted, isJudged, type Work } from '../ranking/work.ts'
import { yoursOf } from '../ranking/your-agreement.ts'
import type { ParticipantStatus } from '../state/contest-state.ts'
import { standingOf } from '../state/judge-state.ts'
import { isFailureToRun } from '../state/participant-outcome.ts'
import { verdictSentence } from './verdict-sentence.ts'

/** Returns the summary: the ranking with its reasons, and the participants that could not be ranked. Pure. */
export function summarise(findings: Findings, now: Date): Summary {
  const { config, status } = findings
  const compared = comparedOf(findings.pairs)
  const { delivered: all, notRanked } = deliveredOf(findings)
  const kin = kinOf(config, findAdapter)
  const isKin = (judge: string, participant: string): boolean =>
    kin.some((each) => each.judge === judge && each.participant === participant)
  const failed = whoFailed(findings)
  const work = workOf(config.name, all, compared, notRanked)
  const fair = counted(work, (judge) => !failed.has(judge))
  const scored = config.ranking.by !== 'checks' && isJudged(fair)
  const tierOf = config.ranking.by === 'checks-then-judges' ? tiersByChecks(all) : undefined
  const rows = all.map((row) => {
    const counting = row.judgements.filter(({ judge }) => !failed.has(judge))
    // By pairs, a score is a share of comparisons, to which the points of judges do not belong.
    return {
      ...row,
      score: scored ? totalScore(counting) : scoreByChecks(row.checks),
      spread: compared.length > 0 ? null : spreadOf(counting),
    }
  })
  const certainty = scored ? certaintyOf([fair], rows, tierOf) : null
  const ranking = ranked(rows, certainty, tierOf)
  const redaction = redactionOf(
    findings,
    ranking.map(({ name }) => name),
    failed,
  )
  const cards = cardsOf(
    config.judges.map(({ name }) => name),
    (judge) => [evidenceOn(judge, findings, work, config.name)],
    isKin,
  )
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
    rankedBy: rankedBy(ranking, scored, config.ranking.by),
    verdict:
      certainty === null ? null : { sentence: verdictSentence(certainty.verdict, ranking, certainty.isUniform), ...certainty.verdict },
    ranking,
    boards: boardsOf([work], [...all, ...notRanked], { failed, isKin, what: 'strength' }),
    variants: againstBase(config.participants, certainty, (name) => all.find((each) => each.name === name)?.costUsd ?? null),
    notRanked,
    judges: judgesOf(findings, cards),
    pairs: [...findings.pairs],
    you: yoursOf(findings, compared, all),
    orders: findings.orders,
    agreement: agreementsOf(config.rubric, [...new Set(findings.answers.map(({ judge }) => judge))], all),
    redaction,
    notes: notesOf(findings, ranking, notRanked, redaction),
  }
}

/** What participants delivered, before anything is ranked, and the participants that delivered nothing. */
interface Delivered {
  readonly delivered: Ranked[]
  readonly notRanked: NotRanked[]
}

/** Returns what the participants of a contest delivered, with the judges' scores and the results of checks. */
export function deliveredOf(findings: Findings): Delivered {
  const { config, status } = findings
  const all: Ranked[] = []
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
      version: at?.version ?? null,
      ...levelIn(seal ?? {}, at),
      denied: findings.denied.participant.get(name) ?? [],
    }
    const outcome = at?.outcome ?? null
    if (outcome?.kind !== 'delivered' || seal === undefined) {
      notRanked.push({ ...role, failedToRun: outcome === null || isFailureToRun(outcome), outcome, dropped: seal?.dropped ?? [] })
      continue
    }
    const judgements = judgementsOf(name, findings)
    const checks = checksOf(findings.checks.get(name) ?? [])
    all.push({
      ...role,
      rank: null,
      score: null,
      interval: null,
      strength: null,
      spread: null,
      judgements,
      checks,
      outcome,
      files: seal.files.length,
      bytes: seal.bytes,
      text: seal.text ?? null,
      tree: seal.tree,
      dropped: seal.dropped,
      droppedCount: seal.droppedCount,
      secrets: seal.secrets ?? null,
      identity: identityOf(name, findings),
      orders: ordersOf(name, findings),
    })
  }
  return { delivered: all, notRanked }
}

/** Returns the judges with their states and what they used. `cards` may be empty. */
export function judgesOf(findings: Findings, cards: ReadonlyMap<string, ReportCard | null>): Summary['judges'] {
  const { config } = findings
  const first = (judge: string): RubricAnswer | undefined => findings.answers.find((each) => each.judge === judge)
  return config.judges.map(({ name, agent, model }) => {
    const at = standingOf(name, findings.judging.tasks)
    return {
      name,
      agent,
      model: model ?? null,
      durationMs: at.durationMs,
      tokens: at.usage,
      costUsd: costOf(at),
      attempts: at.attempt,
      version: at.version ?? null,
      ...levelIn(at),
      denied: findings.denied.judge.get(name) ?? [],
      state: at.state,
      why: at.state === 'failed' ? (at.outcome?.message ?? 'it gave no scores') : null,
      hint: at.state === 'failed' ? (at.outcome?.hint ?? null) : null,
      comment: first(name)?.scores.comment ?? null,
      card: cards.get(name) ?? null,
      review: first(name)?.review ?? null,
      labels: first(name)?.labels ?? null,
    }
  })
}

/** Returns the judges' answers in this contest, in the form that the ranking uses. */
export function workOf(
  brief: string,
  ranking: readonly Pick<Ranked, 'name' | 'judgements' | 'files' | 'text'>[],
  compared: readonly Compared[],
  notRanked: readonly Pick<NotRanked, 'name' | 'outcome'>[],
): Work {
  return {
    brief,
    rows: ranking.map(({ name, judgements }) => ({ name, judgements })),
    compared,
    sizes: new Map(ranking.flatMap(({ name, files, text }) => (text === null ? [] : [[name, [text.lines, files, text.words]]]))),
    losers: notRanked.filter(isOwnFault).map(({ name }) => name),
  }
}

/** Returns the text that reveals whose a submission is; null if there was no search. */
function identityOf(name: string, { identity: { record } }: Findings): Ranked['identity'] {
  const told = record === null || !Object.hasOwn(record.submissions, name) ? undefined : record.submissions[name]
  return told === undefined ? null : { ...told, isHidden: record?.identity === 'redact' }
}

/** Returns the orders to the judge in a submission; null if there was no search. */
function ordersOf(name: string, { ordersToJudges: record }: Findings): Ranked['orders'] {
  const told = record === null || !Object.hasOwn(record.submissions, name) ? undefined : record.submissions[name]
  return told === undefined ? null : { ...told, isHidden: record?.orders === 'redact' }
}

/** Returns the isolation level from the first record that has one. */
function levelIn(...records: readonly (Pick<ParticipantStatus, 'posture'> | undefined)[]): Pick<ParticipantStatus, 'posture'> {
  const posture = records.find((each) => each?.posture !== undefined)?.posture
  return posture === undefined ? {} : { posture }
}

/** Returns the total cost of all attempts; null if no cost was reported. */
function costOf(at: Pick<ParticipantStatus, 'costUsd' | 'earlierCostUsd'> | undefined): number | null {
  const earlier = at?.earlierCostUsd ?? 0
  return earlier > 0 ? earlier + (at?.costUsd ?? 0) : (at?.costUsd ?? null)
}
