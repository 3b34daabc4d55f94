import { matches } from '../judging/identity/find-identity.ts'
import { type Card, cardsOn, failedOf, type Placed } from './cards/card.ts'
import type { BothOrders } from './cards/position.ts'
import { type Rating, ratingsOfPairs } from './cards/ratings.ts'
import { type PairTrial, type RubricTrial, type Stood, stoodByPairs, stoodByRubric } from './cards/trial.ts'
import { ratingsOf } from './certainty.ts'
import type { ReportCard } from './contest-summary.ts'
import type { Control, Findings, RubricAnswer } from './findings.ts'
import type { Mean } from './probability/mean.ts'
import { hundredths, scoreOf } from './score.ts'
import type { Work } from './work.ts'

/** The evidence on one judge from one contest. A suite combines the evidence from all its contests. */
export interface JudgeEvidence {
  /** The ratings of all judges. */
  readonly ratings: readonly Rating[]
  readonly placed: readonly Placed[]
  /** This judge's decisions on pairs. */
  readonly orders: readonly BothOrders[]
  readonly byRubric: readonly RubricTrial[]
  readonly byPairs: readonly PairTrial[]
  readonly citations: { readonly given: number; readonly found: number }
  readonly guesses: { readonly texts: number; readonly words: readonly string[] }
}

/** Returns the evidence on a judge. `unit` is unique to the contest, because a repeat of the same brief has different submissions. */
export function evidenceOn(
  judge: string,
  findings: Findings,
  { rows, compared }: Pick<Work, 'rows' | 'compared'>,
  unit: string,
): JudgeEvidence {
  const byRubric = ratingsOf(unit, rows)
  const own = findings.controls.filter((each) => each.judge === judge)
  return {
    ratings: byRubric.length > 0 ? byRubric : ratingsOfPairs(compared.map((each) => ({ brief: unit, ...each }))),
    placed: placedBy(judge, unit, findings),
    orders: compared.filter((each) => each.judge === judge).map(({ orders }) => orders),
    byRubric: own.flatMap((each) => (each.kind === 'rubric' ? trialOf(each, findings.config.rubric) : [])),
    byPairs: own.flatMap((each) => (each.kind === 'pair' ? [each] : [])),
    citations: citationsOf(judge, findings),
    guesses: guessesOf(judge, findings),
  }
}

/**
 * Returns the report card of each of these judges; null for a judge that judged nothing. `evidenceOf` returns its evidence from every contest,
 * and `isKin` whether a participant is of its family.
 */
export function cardsOf(
  judges: readonly string[],
  evidenceOf: (judge: string) => readonly JudgeEvidence[],
  isKin: (judge: string, participant: string) => boolean,
): ReadonlyMap<string, ReportCard | null> {
  const all = new Map(judges.map((judge) => [judge, evidenceOf(judge)]))
  // Each judge's evidence has the ratings of all judges.
  const ratings = [...all.values()].find((each) => each.length > 0)?.flatMap((each) => each.ratings) ?? []
  const active = judges.filter((judge) => ratings.some((each) => each.judge === judge))
  const cards = cardsOn(
    active.map((judge) => {
      const own = all.get(judge) ?? []
      return {
        judge,
        placed: own.flatMap((each) => each.placed),
        pairs: own.flatMap(({ orders }) => orders),
        isOwn: (participant: string) => isKin(judge, participant),
        stood: stoodBy(own, judges.length),
      }
    }),
    ratings,
  )
  return new Map(
    judges.map((judge) => {
      const card = cards.get(judge)
      return [judge, card === undefined ? null : reportCard(card, all.get(judge) ?? [], judges.length)]
    }),
  )
}

function reportCard(
  { position, orderEffect, ownFamily, severity, spread, caught }: Card,
  evidence: readonly JudgeEvidence[],
  judges: number,
): ReportCard {
  const stood = stoodBy(evidence, judges)
  const shown = (mean: Mean | null | undefined): number | null => (mean == null ? null : hundredths(mean.mean))
  const sure = (mean: Mean | null | undefined): ReportCard['intervals']['severity'] =>
    mean?.interval ? { min: hundredths(mean.interval.low), max: hundredths(mean.interval.high) } : null
  const sum = (of: (each: JudgeEvidence) => number): number => evidence.reduce((all, each) => all + of(each), 0)
  const citations = { given: sum((each) => each.citations.given), found: sum((each) => each.citations.found) }
  const texts = sum(({ guesses }) => guesses.texts)
  return {
    position,
    caught: [...caught],
    orderEffect: shown(orderEffect),
    ownFamily: shown(ownFamily),
    citations: citations.given === 0 ? null : citations,
    guesses: texts === 0 ? null : { texts, words: [...new Set(evidence.flatMap(({ guesses }) => guesses.words))].toSorted() },
    controls:
      stood.trials === 0 && stood.praisesEmpty === null
        ? null
        : { ...stood, planted: stood.planted === null ? null : hundredths(stood.planted) },
    severity: shown(severity),
    spread: spread === null ? null : hundredths(spread.sd),
    spreadBeyondOthers: shown(spread?.beyondOthers),
    intervals: {
      orderEffect: sure(orderEffect),
      ownFamily: sure(ownFamily),
      severity: sure(severity),
      spreadBeyondOthers: sure(spread?.beyondOthers),
    },
  }
}

/** Returns whether a judge failed a control. `judges`: the number of judges of the contest. */
export function isFailed(evidence: readonly JudgeEvidence[], judges: number): boolean {
  return failedOf(stoodBy(evidence, judges)).length > 0
}

/** Returns the judges that failed a control in one contest. */
export function whoFailed(findings: Findings): ReadonlySet<string> {
  const judges = new Set(findings.controls.map(({ judge }) => judge))
  const nothing = { rows: [], compared: [] }
  return new Set([...judges].filter((judge) => isFailed([evidenceOn(judge, findings, nothing, '')], findings.config.judges.length)))
}

function stoodBy(evidence: readonly JudgeEvidence[], judges: number): Stood {
  const pairs = evidence.flatMap(({ byPairs }) => byPairs)
  return pairs.length > 0
    ? stoodByPairs(pairs)
    : stoodByRubric(
        evidence.flatMap(({ byRubric }) => byRubric),
        judges,
      )
}

function citationsOf(judge: string, { citations }: Findings): JudgeEvidence['citations'] {
  const own = citations.get(judge) ?? []
  return { given: own.length, found: own.filter(({ isFound }) => isFound).length }
}

/** Returns the identifying names in a judge's texts. A judge that names agents may have guessed whose work it sees. */
function guessesOf(judge: string, { answers, pairs, identity: { words } }: Findings): JudgeEvidence['guesses'] {
  const said = answers
    .filter((each) => each.judge === judge)
    .flatMap(({ scores, review }) => [...Object.values(scores.reviews), scores.comment, review])
  const reasons = pairs.filter((each) => each.judge === judge).map(({ why }) => why)
  const named = [...said, ...reasons].map((text) => (text === null ? [] : matches(text, words))).filter((found) => found.length > 0)
  return { texts: named.length, words: [...new Set(named.flat())].toSorted() }
}

function trialOf({ labels, altered, scores }: Extract<Control, { kind: 'rubric' }>, rubric: Findings['config']['rubric']): RubricTrial[] {
  if (rubric === undefined) return []
  const points = (label: string | undefined): number | null => {
    const given = label === undefined ? undefined : scores.scores[label]
    return given === undefined ? null : scoreOf(given, rubric)
  }
  const all = Object.keys(labels)
  const asIt = (what: string): string | undefined => all.find((label) => altered[label] === what)
  const originalOf = (label: string | undefined): string | undefined =>
    all.find((each) => altered[each] === undefined && labels[each] === labels[label ?? ''])
  const [planted, again, empty] = [asIt('planted'), asIt('again'), asIt('empty')]
  const [ofPlanted, original] = [points(planted), points(originalOf(planted))]
  const [once, twice] = [points(originalOf(again)), points(again)]
  const ofEmpty = points(empty)
  if (ofPlanted === null || original === null || once === null || twice === null || ofEmpty === null) return []
  const others = all.filter((label) => altered[label] === undefined).map((label) => points(label) ?? 0)
  return [{ planted: ofPlanted, original, twice: [once, twice], empty: ofEmpty, others }]
}

function placedBy(judge: string, brief: string, { answers, config }: Findings): Placed[] {
  const { rubric } = config
  if (rubric === undefined) return []
  const own = answers.filter((each) => each.judge === judge && each.order.length > 1)
  return own.flatMap(({ order, labels, scores }: RubricAnswer, task) =>
    order.flatMap((label, place) => {
      const given = scores.scores[label]
      const participant = labels[label]
      if (given === undefined || participant === undefined) return []
      return [{ brief, task: String(task), participant, points: scoreOf(given, rubric), position: place / (order.length - 1) }]
    }),
  )
}
