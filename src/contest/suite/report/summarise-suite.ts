import { findAdapter } from '../../../adapters/find-adapter.ts'
import { kinOf } from '../../config/sense.ts'
import { againstBase } from '../../ranking/against-base.ts'
import { asCounted, boardsOf, isOwnFault, scored, type WhatCounts } from '../../ranking/boards.ts'
import { favouritesOf } from '../../ranking/cards/favourites.ts'
import { type Rating, ratingsOfPairs } from '../../ranking/cards/ratings.ts'
import { agreementsOf, certaintyOf, ratingsOf, type TierOf } from '../../ranking/certainty.ts'
import type { NotRanked, Ranked } from '../../ranking/contest-summary.ts'
import { cardsOf, isFailed, type JudgeEvidence } from '../../ranking/judge-cards.ts'
import { ranked, tiersByChecks } from '../../ranking/rank.ts'
import { hundredths } from '../../ranking/score.ts'
import { weakIntervals } from '../../ranking/weak-intervals.ts'
import { type Competitor, type Counts, counted, isJudged, type Work } from '../../ranking/work.ts'
import type { Suite } from '../config/read-suite.ts'
import { resultsOf } from './brief-results.ts'
import { costPerSuccess } from './cost-per-success.ts'
import type { Gathered } from './gather.ts'
import { chancesOf, shareOf, type Try } from './shares.ts'
import { detailsOf } from './suite-details.ts'
import { suiteNotes } from './suite-notes.ts'
import { suiteSentence } from './suite-sentence.ts'
import type { SuiteRow, SuiteSummary, Used } from './suite-summary.ts'

type Found = NonNullable<Gathered['found']>

/** The result of one participant in one contest. */
interface Entry {
  readonly brief: string
  readonly ranked: Ranked | null
  readonly notRanked: NotRanked | null
  /** Whether the checks of this contest measured somebody. */
  readonly isMeasured: boolean
}

/** Returns the summary of a suite from the results of its contests. Pure. */
export function summariseSuite(
  { config, briefs }: Pick<Suite, 'config' | 'briefs'>,
  gathered: readonly Gathered[],
  reached: string | null,
  now: Date,
): SuiteSummary {
  const whole = { ...config.contest, schemaVersion: 1 as const, name: config.name }
  const found = gathered.flatMap((each) => (each.found === null ? [] : [each.found]))
  const evidenceOf = (judge: string): JudgeEvidence[] => found.flatMap(({ evidence }) => evidence.get(judge) ?? [])
  const failed = new Set(whole.judges.flatMap(({ name }) => (isFailed(evidenceOf(name), whole.judges.length) ? [name] : [])))
  const kin = kinOf(whole, findAdapter)
  const isKin: Counts = (judge, participant) => kin.some((each) => each.judge === judge && each.participant === participant)
  const works = found.map(({ work }) => work)
  const fair = works.map((work) => counted(work, (judge) => !failed.has(judge)))
  const { by, counts } = whole.ranking
  const rows = whole.participants.map(({ name, agent, model }) => {
    const entries = entriesOf(name, gathered)
    return {
      name,
      agent,
      model: model ?? null,
      ...factsOf(entries, config.repeats),
      checks: checksShare(entries),
      notRun: gathered.length - entries.length,
      entries,
    }
  })
  const byJudges = by !== 'checks' && fair.some(isJudged)
  const shares = rows.map(({ name, checks: share }) => ({ name, checks: { passed: 0, counted: 0, share, results: [] } }))
  const hasChecks = shares.some(({ checks }) => checks.share !== null)
  const tierOf: TierOf | undefined = byJudges && by === 'checks-then-judges' ? tiersByChecks(shares) : undefined
  const counting = byJudges ? asCounted(fair, counts) : hasChecks ? found.map((each) => byChecks(each, counts)) : []
  const priced = rows.map((row) => ({ ...row, costUsd: row.costPerSuccess?.costUsd ?? null }))
  const competitors: Competitor[] = scored(counting, priced)
  const unreliable = rows.filter(isUnreliable).map(({ name, entries }) => ({
    name,
    why: 'infrastructure' as const,
    briefs: new Set(entries.flatMap((each) => (each.ranked === null ? [] : [each.brief]))).size,
  }))
  const certainty = certaintyOf(
    counting,
    competitors.filter(({ name }) => !unreliable.some((each) => each.name === name)),
    tierOf,
  )
  const placed = withDominated(
    ranked(
      rows.map(({ entries: _, ...row }, at) => ({ ...row, score: competitors[at]?.score ?? null })),
      certainty,
      tierOf,
    ),
  )
  const boards = byJudges ? boardsOf(works, priced, { failed, isKin, what: counts }) : []
  const verdict =
    certainty === null
      ? null
      : {
          ...certainty.verdict,
          apart: [...unreliable, ...certainty.verdict.apart],
          // Results of checks do not depend on judges.
          ...(byJudges ? {} : { clusters: { by: 'briefs' as const, count: new Set(works.map(({ brief }) => brief)).size } }),
        }
  const cards = cardsOf(
    whole.judges.map(({ name }) => name),
    evidenceOf,
    isKin,
  )
  const rubric = JSON.stringify(whole.rubric ?? null)
  const summary = {
    schemaVersion: 1 as const,
    suite: config.name,
    description: config.description ?? null,
    generatedAt: now.toISOString(),
    repeats: config.repeats,
    rankedBy: byJudges
      ? by === 'checks-then-judges' && hasChecks
        ? ('checks-then-judges' as const)
        : ('judges' as const)
      : hasChecks
        ? ('checks' as const)
        : ('nothing' as const),
    verdict:
      verdict === null
        ? null
        : { sentence: suiteSentence(verdict, placed, { boards, isUniform: certainty?.isUniform === true, now }), ...verdict },
    ranking: placed,
    boards,
    variants: againstBase(
      whole.participants,
      certainty === null || verdict === null ? null : { ...certainty, verdict },
      (name) => rows.find((each) => each.name === name)?.costPerSuccess?.costUsd ?? null,
    ),
    judges: whole.judges.map(({ name, agent, model }) => {
      const own = found.flatMap(({ results: { judges } }) => judges.filter((each) => each.name === name))
      return {
        name,
        agent,
        model: model ?? null,
        answered: own.filter(({ state }) => state === 'scored').length,
        failed: own.filter(({ state }) => state === 'failed').length,
        card: cards.get(name) ?? null,
        ...usedBy(own),
      }
    }),
    agreement: agreementsOf(
      whole.rubric,
      whole.judges.map(({ name }) => name).filter((name) => fair.some((work) => isBy(work, name))),
      found.flatMap((each) => (each.rubric === rubric ? each.work.rows : [])),
    ),
    briefs: briefs.map(({ name, path, problem, tags }) => ({
      name,
      path,
      problem,
      tags: [...tags],
      runs: gathered.filter(({ run }) => run.brief.name === name).map((each) => resultsOf(each, by, failed)),
    })),
    details: detailsOf(
      counting,
      placed.map(({ name }) => name),
      briefs,
    ),
    spent: spentIn([...rows, ...found.flatMap(({ results: { judges } }) => judges)]),
    reached,
  }
  const weak = certainty === null ? [] : weakIntervals(counting, certainty, !byJudges)
  return { ...summary, notes: [...suiteNotes(summary, failed, favouritesOf(works.flatMap(ratingsIn))), ...weak] }
}

function entriesOf(name: string, gathered: readonly Gathered[]): Entry[] {
  return gathered.flatMap(({ run, found }) => {
    const is = (each: { readonly name: string }): boolean => each.name === name
    const [of, not] = [found?.results.delivered.find(is) ?? null, found?.results.notRanked.find(is) ?? null]
    // Work that is not sealed yet has no result.
    const isEnded = of !== null || (not !== null && not.outcome !== null && not.outcome.kind !== 'ran')
    return isEnded ? [{ brief: run.brief.name, ranked: of, notRanked: not, isMeasured: found !== null && isMeasuredIn(found) }] : []
  })
}

function factsOf(
  entries: readonly Entry[],
  repeats: number,
): Pick<SuiteRow, 'completion' | 'passes' | 'failedToRun' | 'versions' | 'postures' | 'failures' | 'costPerSuccess' | keyof Used> {
  const ended = entries.filter((each) => each.ranked !== null || (each.notRanked !== null && isOwnFault(each.notRanked)))
  const tried = ended.flatMap(({ brief, ranked: of }): Try[] =>
    of === null ? [{ brief, isHit: false }] : of.checks.counted === 0 ? [] : [{ brief, isHit: of.checks.passed === of.checks.counted }],
  )
  const isChecked = entries.some((each) => (each.ranked?.checks.counted ?? 0) > 0)
  return {
    completion: shareOf(ended.map((each) => ({ brief: each.brief, isHit: each.ranked !== null }))),
    passes: isChecked ? { ...shareOf(tried), chances: chancesOf(tried, repeats) } : null,
    failedToRun: entries.length - ended.length,
    versions: [...new Set(entries.flatMap((each) => (each.ranked ?? each.notRanked)?.version ?? []))].toSorted(),
    postures: [...new Set(entries.flatMap((each) => (each.ranked ?? each.notRanked)?.posture ?? []))].toSorted(),
    failures: failuresOf(entries),
    costPerSuccess: costPerSuccess(
      entries.map(({ brief, ranked: of, notRanked }) => ({
        brief,
        costUsd: (of ?? notRanked)?.costUsd ?? null,
        isSuccess: of !== null && (!isChecked || (of.checks.counted > 0 && of.checks.passed === of.checks.counted)),
      })),
    ),
    ...usedBy(entries.flatMap((each) => each.ranked ?? each.notRanked ?? [])),
  }
}

function failuresOf(entries: readonly Entry[]): SuiteRow['failures'] {
  const kinds = entries.flatMap(({ notRanked }) => notRanked?.outcome?.kind ?? [])
  return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]))
}

/** Returns rows with the strongest participant that beats each of them in both score and cost. */
function withDominated<T extends Omit<SuiteRow, 'dominatedBy'>>(rows: readonly T[]): (T & Pick<SuiteRow, 'dominatedBy'>)[] {
  return rows.map((row) => {
    const cost = row.costPerSuccess?.costUsd ?? null
    const better = rows.find(
      (other) =>
        cost !== null &&
        row.strength !== null &&
        other.strength !== null &&
        other.costPerSuccess !== null &&
        other.costPerSuccess.costUsd < cost &&
        (other.score ?? 0) > (row.score ?? 0),
    )
    return { ...row, dominatedBy: better?.name ?? null }
  })
}

/** The share of attempts that may fail for reasons other than the participant's work. With more, what is missing is not random. */
export const mostFailedToRun = 0.2

function isUnreliable({ failedToRun, entries }: { readonly failedToRun: number; readonly entries: readonly Entry[] }): boolean {
  return failedToRun > mostFailedToRun * entries.length
}

/**
 * Returns the mean over briefs of the share of checks that passed; null: nothing was checked. The share is 0 if a participant failed to deliver
 * through its own fault in a contest with checks, or if its checks could not be run although those of others could.
 */
function checksShare(entries: readonly Entry[]): number | null {
  const isChecked = entries.some((each) => each.ranked !== null && each.ranked.checks.share !== null)
  if (!isChecked) return null
  const shares = entries.flatMap(({ brief, ranked: of, notRanked, isMeasured }) => {
    const share = of === null ? (notRanked !== null && isOwnFault(notRanked) && isMeasured ? 0 : null) : shareIn(of, isMeasured)
    return share === null ? [] : [{ brief, share }]
  })
  const means = [...Map.groupBy(shares, ({ brief }) => brief).values()].map(
    (own) => own.reduce((sum, { share }) => sum + share, 0) / own.length,
  )
  return means.length === 0 ? null : means.reduce((sum, each) => sum + each, 0) / means.length
}

/** Returns the share of a participant in one contest. `isMeasured`: whether somebody has a share in it. */
function shareIn({ checks: { share, results } }: Pick<Ranked, 'checks'>, isMeasured: boolean): number | null {
  return share ?? (isMeasured && results.length > 0 ? 0 : null)
}

/** Returns whether the checks of a contest measured somebody, or had nothing to measure because nobody delivered. */
function isMeasuredIn({ results: { delivered, notRanked }, hasChecks }: Found): boolean {
  if (delivered.length === 0) return hasChecks && notRanked.every(isOwnFault)
  return delivered.some(({ checks }) => checks.share !== null)
}

/** Returns a work in which the checks are the only judge. */
function byChecks(found: Found, what: WhatCounts): Work {
  const judged = (name: string, share: number | null) => ({
    name,
    judgements: share === null ? [] : [{ judge: 'checks', dimensions: {}, score: hundredths(share * 100) }],
  })
  const isMeasured = isMeasuredIn(found)
  const losers = what === 'delivered' && isMeasured ? found.work.losers : []
  return {
    ...found.work,
    compared: [],
    rows: [
      ...found.results.delivered.map((each) => judged(each.name, shareIn(each, isMeasured))),
      ...losers.map((name) => judged(name, 0)),
    ],
  }
}

/** Returns the ratings of all judges in a work; by pairs, the shares of comparisons. */
function ratingsIn({ brief, rows, compared }: Work): Rating[] {
  const byRubric = ratingsOf(brief, rows)
  return byRubric.length > 0 ? byRubric : ratingsOfPairs(compared.map((each) => ({ brief, ...each })))
}

function isBy({ rows }: Work, judge: string): boolean {
  return rows.some(({ judgements }) => judgements.some((each) => each.judge === judge))
}

function usedBy(
  list: readonly { readonly costUsd: number | null; readonly tokens: Ranked['tokens']; readonly durationMs: number | null }[],
): Used {
  const costs = list.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]))
  const tokens = list.flatMap((each) => (each.tokens === null ? [] : [each.tokens]))
  const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)
  return {
    costUsd: costs.length === 0 ? null : sum(costs),
    tokens: tokens.length === 0 ? null : { input: sum(tokens.map(({ input }) => input)), output: sum(tokens.map(({ output }) => output)) },
    durationMs: sum(list.map(({ durationMs }) => durationMs ?? 0)),
  }
}

function spentIn(
  list: readonly { readonly costUsd: number | null; readonly tokens: { readonly input: number; readonly output: number } | null }[],
): SuiteSummary['spent'] {
  return {
    money: list.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    tokens: list.reduce((sum, { tokens }) => sum + (tokens === null ? 0 : tokens.input + tokens.output), 0),
  }
}
