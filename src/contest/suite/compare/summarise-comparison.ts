import { average } from '../../ranking/cards/deviations.ts'
import { isFailed } from '../../ranking/judge-cards.ts'
import { holm } from '../../ranking/probability/holm.ts'
import { hundredths } from '../../ranking/score.ts'
import { mostFailedToRun } from '../report/summarise-suite.ts'
import { type BriefDifference, briefDifference, findableLoss } from './brief-difference.ts'
import { type Gate, isRatio, levelOf, ruleOf, type Tested, testGate } from './compare-gates.ts'
import type { Attempt, ComparedRun } from './compared-run.ts'
import type { ComparedBrief, Comparison, GateResult, Measure, MeasureName } from './comparison-schema.ts'
import { measureNames } from './comparison-schema.ts'
import { comparisonSentence } from './comparison-sentence.ts'
import { type AttemptPair, type Judged, type JudgedPair, needsJudges, type Side, sides } from './side-by-side.ts'

type Participants = AttemptPair['participants']

/** A pair of attempts, with the answers of judges. */
export interface Seen {
  readonly pair: AttemptPair
  readonly found: JudgedPair | null
  /** The directory of the contest relative to the new suite; null: judges did not have to see the pair. */
  readonly contest: string | null
}

/** Everything that a comparison is made from. */
export interface Compared {
  readonly base: ComparedRun
  readonly new: ComparedRun
  /** All runs in order, for the trend. */
  readonly runs: readonly ComparedRun[]
  readonly participants: readonly Participants[]
  readonly briefs: readonly string[]
  readonly leftOut: Comparison['leftOut']
  readonly seen: readonly Seen[]
  /** False: the scores are those of the old judgings. */
  readonly isSideBySide: boolean
  readonly gates: readonly Gate[]
  readonly surely: boolean
  readonly notes: readonly string[]
}

/** Returns the comparison of two runs. Pure. */
export function summariseComparison(of: Compared, now: Date): Comparison {
  const judges = judgesOf(of)
  const counts = new Set(judges.filter(({ failed }) => !failed).map(({ name }) => name))
  const rows = of.participants.map((names) => rowOf(names, of, counts))
  const decides = decidingMeasure(of, rows)
  const verdicts = new Map(measureNames.map((name) => [name, verdictsOf(name, rows)]))
  const participants = rows.map(({ names: _, measured, ...row }, place) => ({
    ...row,
    measures: measureNames.flatMap((name) => {
      const one = measured.get(name)
      const verdict = verdicts.get(name) ?? []
      const together = verdict.filter((each) => each !== 'too-few').length
      return one === undefined ? [] : [shownMeasure(name, one, verdict[place] ?? 'too-few', together)]
    }),
  }))
  const gates = of.gates.flatMap((gate) => {
    const measure = gate.measure ?? decides
    return testGate(
      gate,
      measure,
      rows.map((row) => tested(measure, row)),
      of.surely,
    )
  })
  const urgency = { failed: 0, untested: 1, passed: 2 }
  const all = [...rows.map(infrastructureGate), ...gates].toSorted((a, b) => urgency[a.state] - urgency[b.state])
  const order = { worse: 0, 'too-few': 1, 'not-seen': 2, better: 3 }
  const placed = participants
    .map((each) => ({ each, by: each.measures.find(({ name }) => name === decides) }))
    .toSorted(
      (a, b) => order[a.by?.verdict ?? 'too-few'] - order[b.by?.verdict ?? 'too-few'] || (a.by?.difference ?? 0) - (b.by?.difference ?? 0),
    )
    .map(({ each }) => each)
  return {
    schemaVersion: 1,
    suite: of.new.suite.config.name,
    generatedAt: now.toISOString(),
    base: of.base.label,
    new: of.new.label,
    decides,
    sentences: placed.map((each) => comparisonSentence(each, decides)),
    participants: placed,
    gates: all,
    isFailed: of.gates.length > 0 && all.some(({ state }) => state !== 'passed'),
    briefs: briefsOf(rows, of, counts, decides),
    leftOut: [...of.leftOut],
    judges,
    trend: of.runs.flatMap((run) => of.participants.flatMap((names) => trendOf(run, names))),
    spentUsd: of.seen.reduce((sum, { found }) => sum + (found?.costUsd ?? 0), 0),
    notes: [...of.notes, ...notesOf(of, judges), ...environmentNotes(placed)],
  }
}

interface Row {
  readonly names: Participants
  readonly base: Comparison['participants'][number]['base']
  readonly new: Comparison['participants'][number]['new']
  readonly isComparable: boolean
  /** Why it cannot be compared, as the end of a sentence. */
  readonly whyNot: string | null
  readonly measured: ReadonlyMap<MeasureName, Measured>
}

/** A measure over briefs. Differences are positive if the new run is better. */
interface Measured {
  readonly basis: Measure['basis']
  readonly means: Readonly<Record<Side, number>>
  readonly difference: BriefDifference
  readonly byBrief: ReadonlyMap<string, number>
}

function rowOf(names: Participants, of: Compared, counts: ReadonlySet<string>): Row {
  const own = (side: Side): readonly Attempt[] => attemptsOf(of[side], names[side]).filter(({ brief }) => of.briefs.includes(brief))
  const sideOf = (side: Side): Row['base'] => {
    const attempts = own(side)
    const role = of[side].suite.config.contest.participants.find(({ name }) => name === names[side])
    return {
      name: names[side],
      agent: role?.agent ?? '',
      model: attempts.find(({ model }) => model !== null)?.model ?? role?.model ?? null,
      versions: [...new Set(attempts.flatMap(({ version }) => version ?? []))].toSorted(),
      attempts: attempts.length,
      failed: attempts.filter(({ state }) => state === 'failed').length,
    }
  }
  const [base, now] = [sideOf('base'), sideOf('new')]
  const asked = of.isSideBySide
    ? of.seen.filter(({ pair }) => isOf(pair, names) && of.briefs.includes(pair.brief) && needsJudges(pair))
    : []
  const unjudged = asked.filter((each) => scoreOfPair(each, counts) === null).length
  const whyNot = whyNotComparable([base, now], { unjudged, asked: asked.length })
  const measured = new Map<MeasureName, Measured>()
  for (const name of measureNames) {
    const values = of.briefs.flatMap((brief) => {
      const pair = valuesOf(name, brief, names, of, counts)
      return pair === null ? [] : [{ brief, ...pair }]
    })
    const better = ({ base: b, new: n }: (typeof values)[number]): number => (isRatio(name) ? Math.log(b / n) : n - b)
    const difference = briefDifference(values.map(better))
    if (difference === null) continue
    const basis = name === 'score' ? (of.isSideBySide ? 'side-by-side' : 'as-judged') : 'as-measured'
    const means = { base: average(values.map((each) => each.base)) ?? 0, new: average(values.map((each) => each.new)) ?? 0 }
    measured.set(name, { basis, means, difference, byBrief: new Map(values.map((each) => [each.brief, better(each)])) })
  }
  return { names, base, new: now, isComparable: whyNot === null, whyNot, measured }
}

/** Returns why a participant cannot be compared, because too much is missing and what is missing is not random; null: it can. */
function whyNotComparable(
  [base, now]: readonly [Row['base'], Row['new']],
  { unjudged, asked }: { readonly unjudged: number; readonly asked: number },
): string | null {
  if ([base, now].some(({ attempts, failed }) => attempts === 0 || failed > mostFailedToRun * attempts))
    return `${base.failed} of ${base.attempts} attempts in the base and ${now.failed} of ${now.attempts} in the new run failed for reasons other than its work`
  return unjudged > mostFailedToRun * asked ? `${unjudged} of ${asked} pairs of its works were not judged` : null
}

/** Returns the means over the attempts at a brief in both runs; null: one run was not measured. */
function valuesOf(
  name: MeasureName,
  brief: string,
  names: Participants,
  of: Compared,
  counts: ReadonlySet<string>,
): Record<Side, number> | null {
  if (name === 'score' && of.isSideBySide) return scoresOf(brief, names, of, counts)
  const value = (each: Attempt): number | null => {
    if (name === 'delivered') return each.state === 'failed' ? null : each.state === 'delivered' ? 100 : 0
    if (name === 'checks' || name === 'score') return each[name]
    const used = name === 'cost' ? each.costUsd : each.durationMs
    return used === null || used <= 0 || each.state === 'failed' ? null : used
  }
  const own = (side: Side): number | null =>
    average(attemptsOf(of[side], names[side]).flatMap((each) => (each.brief === brief ? (value(each) ?? []) : [])))
  const [base, now] = [own('base'), own('new')]
  return base === null || now === null ? null : { base, new: now }
}

/** Returns the mean scores of a brief, over pairs and over judges that count. Equal works have the same score, of which only the difference counts. */
function scoresOf(brief: string, names: Participants, of: Compared, counts: ReadonlySet<string>): Record<Side, number> | null {
  const scores = of.seen.filter(({ pair }) => pair.brief === brief && isOf(pair, names)).flatMap((each) => scoreOfPair(each, counts) ?? [])
  const [base, now] = sides.map((side) => average(scores.map((each) => each[side])))
  return base == null || now == null ? null : { base, new: now }
}

function scoreOfPair({ pair, found }: Seen, counts: ReadonlySet<string>): Record<Side, number> | null {
  const { base, new: now } = pair.attempts
  if (!needsJudges(pair)) {
    const same = base.score ?? now.score ?? 0
    return { base: same, new: same }
  }
  const points = (found?.judged ?? []).filter(({ judge }) => counts.has(judge)).map((each) => each.points)
  const own = (side: Side): number | null => {
    if (pair.attempts[side].work === null) return 0
    const other = side === 'base' ? 'new' : 'base'
    // A judge that may see only one of the works says nothing about the difference.
    const both = points.filter((each) => each[side] !== undefined && (pair.attempts[other].work === null || each[other] !== undefined))
    return average(both.map((each) => each[side] ?? 0))
  }
  const [b, n] = [own('base'), own('new')]
  return points.length === 0 || b === null || n === null ? null : { base: b, new: n }
}

function verdictsOf(name: MeasureName, rows: readonly Row[]): Measure['verdict'][] {
  const certain = rows.flatMap(({ measured, isComparable }, place) => {
    const sure = isComparable ? (measured.get(name)?.difference.sure ?? null) : null
    return sure === null ? [] : [{ place, sure }]
  })
  const level = levelOf(name)
  // A smaller difference would be shown as none.
  const isShown = (place: number): boolean =>
    Math.abs(rows[place]?.measured.get(name)?.difference.estimate ?? 0) >= (isRatio(name) ? 0.005 : 0.05)
  const worse = holm(
    certain.map(({ sure }) => sure.pWorse),
    level,
  )
  const better = holm(
    certain.map(({ sure }) => sure.pBetter),
    level,
  )
  return rows.map((_, place) => {
    const at = certain.findIndex((each) => each.place === place)
    if (at === -1) return 'too-few'
    if (!isShown(place)) return 'not-seen'
    return worse[at] === true ? 'worse' : better[at] === true ? 'better' : 'not-seen'
  })
}

function shownMeasure(name: MeasureName, { basis, means, difference }: Measured, verdict: Measure['verdict'], together: number): Measure {
  const { estimate, briefs, sure } = difference
  const ratio = isRatio(name)
  // No score differs by more than 100 points.
  const shown = (value: number): number => (ratio ? Math.exp(-value) : hundredths(Math.max(-100, Math.min(100, value))))
  const finds = findableLoss(difference, ruleOf(name, ratio ? 1 : 0, together))
  const interval =
    sure === null ? null : ratio ? { low: shown(sure.high), high: shown(sure.low) } : { low: shown(sure.low), high: shown(sure.high) }
  return {
    name,
    basis,
    base: ratio ? means.base : hundredths(means.base),
    new: ratio ? means.new : hundredths(means.new),
    difference: shown(estimate),
    briefs,
    interval,
    pWorse: sure?.pWorse ?? null,
    verdict,
    finds: finds === null ? null : ratio ? Math.exp(finds) : hundredths(finds),
  }
}

function tested(name: MeasureName, { names, measured, isComparable }: Row): Tested {
  const one = measured.get(name)
  return { participant: names.new, difference: one?.difference ?? null, isComparable, basis: one?.basis ?? null }
}

function infrastructureGate({ names, isComparable, whyNot }: Row): GateResult {
  return {
    gate: 'at most 20% of attempts fail, and of pairs are not judged, for reasons other than the work',
    participant: names.new,
    measure: 'infrastructure',
    state: isComparable ? 'passed' : 'failed',
    why: whyNot,
    finds: null,
  }
}

function briefsOf(rows: readonly Row[], of: Compared, counts: ReadonlySet<string>, decides: Comparison['decides']): ComparedBrief[] {
  return rows
    .flatMap(({ names, measured }) =>
      of.briefs.map((brief): ComparedBrief => {
        const seen = of.seen.filter(({ pair }) => pair.brief === brief && isOf(pair, names))
        const scores = valuesOf('score', brief, names, of, counts)
        const checks = valuesOf('checks', brief, names, of, counts)
        const side = (which: Side): ComparedBrief['base'] => {
          const own = attemptsOf(of[which], names[which]).filter((each) => each.brief === brief)
          return {
            score: scores === null ? null : hundredths(scores[which]),
            checks: checks === null ? null : hundredths(checks[which]),
            delivered: own.filter(({ state }) => state === 'delivered').length,
            attempts: own.length,
            outcomes: [...new Set(own.flatMap(({ outcome }) => (outcome === 'delivered' ? [] : [outcome])))],
          }
        }
        const difference = measured.get(decides)?.byBrief.get(brief)
        return {
          brief,
          participant: names.new,
          base: side('base'),
          new: side('new'),
          difference: difference === undefined ? null : hundredths(difference),
          contests: seen.flatMap(({ contest }) => contest ?? []),
          reasons: seen.flatMap(({ found }) => (found?.judged ?? []).flatMap(reasonsOf)),
        }
      }),
    )
    .filter(({ base, new: now }) => base.attempts + now.attempts > 0)
    .toSorted((a, b) => (a.difference ?? Number.POSITIVE_INFINITY) - (b.difference ?? Number.POSITIVE_INFINITY))
}

function reasonsOf({ judge, reasons }: Judged): ComparedBrief['reasons'] {
  const { base = null, new: now = null } = reasons
  return base === null && now === null ? [] : [{ judge, base, new: now }]
}

function trendOf(run: ComparedRun, names: Participants): Comparison['trend'] {
  const own = attemptsOf(run, run.attempts.some(({ participant }) => participant === names.new) ? names.new : names.base)
  const [first] = own
  if (first === undefined) return []
  const ended = own.filter(({ state }) => state !== 'failed')
  const meanOf = (value: (each: Attempt) => number | null): number | null => average(ended.flatMap((each) => value(each) ?? []))
  return [
    {
      run: run.label,
      at: run.at,
      participant: first.participant,
      delivered: ended.length === 0 ? null : ended.filter(({ state }) => state === 'delivered').length / ended.length,
      checks: meanOf(({ checks }) => checks),
      asJudged: meanOf(({ score }) => score),
      costUsd: meanOf(({ costUsd }) => costUsd),
      durationMs: meanOf(({ durationMs }) => durationMs),
    },
  ]
}

function judgesOf({ seen, isSideBySide, new: { suite } }: Compared): Comparison['judges'] {
  if (!isSideBySide) return []
  const { judges } = suite.config.contest
  return judges.map(({ name }) => {
    const evidence = seen.flatMap(({ found }) => found?.evidence.get(name) ?? [])
    const answered = seen.filter(({ found }) =>
      found?.judged.some(({ judge, points }) => judge === name && Object.keys(points).length > 0),
    ).length
    return { name, answered, failed: isFailed(evidence, judges.length) }
  })
}

function notesOf({ seen, briefs, isSideBySide }: Compared, judges: Comparison['judges']): string[] {
  const same = seen.filter(({ pair }) => pair.attempts.base.work !== null && !needsJudges(pair)).length
  const failed = judges.filter((each) => each.failed)
  return [
    ...(briefs.length === 0 ? ['The runs have no brief in common.'] : []),
    ...(isSideBySide && same > 0
      ? [`${same} of ${seen.length} pairs of works are the same, byte for byte, so judges did not see them.`]
      : []),
    ...failed.map(({ name }) => `Judge ${name} failed a control and does not count.`),
  ]
}

/** Warns if all participants became faster, or slower. */
function environmentNotes(participants: Comparison['participants']): string[] {
  const verdicts = new Set(participants.map(({ measures }) => measures.find(({ name }) => name === 'time')?.verdict))
  const [verdict] = verdicts
  if (participants.length < 2 || verdicts.size > 1 || (verdict !== 'better' && verdict !== 'worse')) return []
  return [`All participants became ${verdict === 'better' ? 'faster' : 'slower'}, so the machine or its load probably changed.`]
}

/** Returns the measure by which the new suite ranks, whether or not anything was measured: a gate on nothing must not pass. */
function decidingMeasure({ new: { suite } }: Compared, rows: readonly Row[]): Comparison['decides'] {
  const { judges, ranking } = suite.config.contest
  if (ranking.by !== 'checks' && judges.length > 0) return 'score'
  const checks = suite.briefs.flatMap(({ composed }) => composed?.contest['checks'] ?? [])
  return checks.length > 0 || rows.some(({ measured }) => measured.has('checks')) ? 'checks' : 'delivered'
}

function isOf({ participants }: AttemptPair, names: Participants): boolean {
  return participants.base === names.base && participants.new === names.new
}

function attemptsOf({ attempts }: ComparedRun, name: string): readonly Attempt[] {
  return attempts.filter(({ participant }) => participant === name)
}
