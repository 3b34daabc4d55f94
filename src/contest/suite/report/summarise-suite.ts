import { findAdapter } from '../../../adapters/find-adapter.ts'
import { kinOf } from '../../config/sense.ts'
import { boardsOf, isOwnFault, scored } from '../../ranking/boards.ts'
import { agreementsOf, certaintyOf, type TierOf } from '../../ranking/certainty.ts'
import type { NotRanked, Ranked } from '../../ranking/contest-summary.ts'
import { cardOf, isFailed, type JudgeEvidence } from '../../ranking/judge-cards.ts'
import { ranked, tiersByChecks } from '../../ranking/rank.ts'
import { hundredths } from '../../ranking/score.ts'
import { type Competitor, type Counts, counted, isJudged, type Work } from '../../ranking/work.ts'
import { verdictSentence } from '../../report/verdict-sentence.ts'
import type { Suite } from '../config/read-suite.ts'
import { resultsOf } from './brief-results.ts'
import type { Gathered } from './gather.ts'
import { chancesOf, shareOf, type Try } from './shares.ts'
import { suiteNotes } from './suite-notes.ts'
import type { SuiteRow, SuiteSummary, Used } from './suite-summary.ts'

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
  const failed = new Set(whole.judges.flatMap(({ name }) => (isFailed(evidenceOf(name)) ? [name] : [])))
  const kin = kinOf(whole, findAdapter)
  const isKin: Counts = (judge, participant) => kin.some((each) => each.judge === judge && each.participant === participant)
  const works = found.map(({ work }) => work)
  const fair = works.map((work) => counted(work, (judge) => !failed.has(judge)))
  const rows = whole.participants.map(({ name, agent, model }) => {
    const entries = entriesOf(name, gathered)
    return { name, agent, model: model ?? null, ...factsOf(entries, config.repeats), notRun: gathered.length - entries.length, entries }
  })
  const byJudges = whole.ranking !== 'checks' && fair.some(isJudged)
  const shares = rows.map(({ name, entries }) => ({ name, checks: { passed: 0, counted: 0, share: checksShare(entries), results: [] } }))
  const hasChecks = shares.some(({ checks }) => checks.share !== null)
  const tierOf: TierOf | undefined = byJudges && whole.ranking === 'checks-then-judges' ? tiersByChecks(shares) : undefined
  const ranking = byJudges ? fair : works.map((work, at) => byChecks(work, found[at]?.summary.ranking ?? []))
  const competitors: Competitor[] = scored(ranking, rows)
  const certainty = byJudges || hasChecks ? certaintyOf(ranking, competitors, tierOf) : null
  const placed = ranked(
    rows.map(({ entries: _, ...row }, at) => ({
      ...row,
      score: competitors[at]?.score ?? null,
      interval: null,
      strength: null,
      ...certainty?.standings.get(row.name),
    })),
    tierOf,
  )
  // Results of checks do not depend on judges.
  const verdict =
    certainty === null || byJudges
      ? (certainty?.verdict ?? null)
      : { ...certainty.verdict, clusters: { by: 'briefs' as const, count: new Set(works.map(({ brief }) => brief)).size } }
  const rubric = JSON.stringify(whole.rubric ?? null)
  const summary = {
    schemaVersion: 1 as const,
    suite: config.name,
    description: config.description ?? null,
    generatedAt: now.toISOString(),
    repeats: config.repeats,
    rankedBy: byJudges
      ? whole.ranking === 'checks-then-judges' && hasChecks
        ? ('checks-then-judges' as const)
        : ('judges' as const)
      : hasChecks
        ? ('checks' as const)
        : ('nothing' as const),
    verdict: verdict === null ? null : { sentence: verdictSentence(verdict, placed, certainty?.isUniform === true), ...verdict },
    ranking: placed,
    boards: byJudges ? boardsOf(works, rows, { failed, isKin }) : [],
    judges: whole.judges.map(({ name, agent, model }) => {
      const own = found.flatMap(({ summary: { judges } }) => judges.filter((each) => each.name === name))
      return {
        name,
        agent,
        model: model ?? null,
        answered: own.filter(({ state }) => state === 'scored').length,
        failed: own.filter(({ state }) => state === 'failed').length,
        card: cardOf(name, evidenceOf(name), (participant) => isKin(name, participant)),
        ...usedBy(own),
      }
    }),
    agreement: agreementsOf(
      whole.rubric,
      whole.judges.map(({ name }) => name).filter((name) => fair.some((work) => isBy(work, name))),
      found.flatMap((each) => (each.rubric === rubric ? each.work.rows : [])),
    ),
    briefs: briefs.map(({ name, path, problem }) => ({
      name,
      path,
      problem,
      runs: gathered.filter(({ run }) => run.brief.name === name).map(resultsOf),
    })),
    spent: spentIn([...rows, ...found.flatMap(({ summary: { judges } }) => judges)]),
    reached,
  }
  return { ...summary, notes: suiteNotes(summary, failed) }
}

function entriesOf(name: string, gathered: readonly Gathered[]): Entry[] {
  return gathered.flatMap(({ run, found }) => {
    const is = (each: { readonly name: string }): boolean => each.name === name
    const [of, not] = [found?.summary.ranking.find(is) ?? null, found?.summary.notRanked.find(is) ?? null]
    const isRun = of !== null || (not !== null && not.outcome !== null)
    return isRun ? [{ brief: run.brief.name, ranked: of, notRanked: not, isMeasured: isMeasuredIn(found?.summary.ranking ?? []) }] : []
  })
}

function factsOf(entries: readonly Entry[], repeats: number): Pick<SuiteRow, 'completion' | 'passes' | 'failedToRun' | keyof Used> {
  const ended = entries.filter((each) => each.ranked !== null || (each.notRanked !== null && isOwnFault(each.notRanked)))
  const tried = ended.flatMap(({ brief, ranked: of }): Try[] =>
    of === null ? [{ brief, isHit: false }] : of.checks.counted === 0 ? [] : [{ brief, isHit: of.checks.passed === of.checks.counted }],
  )
  const isChecked = entries.some((each) => (each.ranked?.checks.counted ?? 0) > 0)
  return {
    completion: shareOf(ended.map((each) => ({ brief: each.brief, isHit: each.ranked !== null }))),
    passes: isChecked ? { ...shareOf(tried), chances: chancesOf(tried, repeats) } : null,
    failedToRun: entries.length - ended.length,
    ...usedBy(entries.flatMap((each) => each.ranked ?? each.notRanked ?? [])),
  }
}

/**
 * Returns the mean over briefs of the share of checks that passed; null: nothing was checked. The share is 0 if a participant failed to deliver
 * through its own fault, and in a contest that measured others, but not this one.
 */
function checksShare(entries: readonly Entry[]): number | null {
  const isChecked = entries.some((each) => each.ranked !== null && each.ranked.checks.share !== null)
  if (!isChecked) return null
  const shares = entries.flatMap(({ brief, ranked: of, notRanked, isMeasured }) => {
    const share = of === null ? (notRanked !== null && isOwnFault(notRanked) ? 0 : null) : shareIn(of, isMeasured)
    return share === null ? [] : [{ brief, share }]
  })
  const means = [...Map.groupBy(shares, ({ brief }) => brief).values()].map(
    (own) => own.reduce((sum, { share }) => sum + share, 0) / own.length,
  )
  return means.reduce((sum, each) => sum + each, 0) / means.length
}

/** Returns the share of a participant in one contest. `isMeasured`: whether somebody has a share in it. */
function shareIn({ checks: { share } }: Pick<Ranked, 'checks'>, isMeasured: boolean): number | null {
  return share ?? (isMeasured ? 0 : null)
}

function isMeasuredIn(ranking: readonly Ranked[]): boolean {
  return ranking.some(({ checks }) => checks.share !== null)
}

/** Returns a work in which the checks are the only judge. */
function byChecks(work: Work, rows: readonly Ranked[]): Work {
  const judged = (name: string, share: number | null) => ({
    name,
    judgements: share === null ? [] : [{ judge: 'checks', dimensions: {}, score: hundredths(share * 100) }],
  })
  const isMeasured = isMeasuredIn(rows)
  return {
    ...work,
    compared: [],
    rows: [...rows.map((each) => judged(each.name, shareIn(each, isMeasured))), ...work.losers.map((name) => judged(name, 0))],
  }
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
