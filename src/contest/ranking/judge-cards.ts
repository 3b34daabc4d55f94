import { matches } from '../judging/identity/find.ts'
import type { ReportCard } from '../report/summary.ts'
import { cardOn, failedOf, type Placed } from './cards/card.ts'
import { ratingsOfPairs } from './cards/ratings.ts'
import { type RubricTrial, type Stood, stoodByPairs, stoodByRubric } from './cards/trial.ts'
import { type Judged, ratingsOf } from './certainty.ts'
import type { Control, Findings, RubricAnswer } from './findings.ts'
import type { Compared } from './pairs.ts'
import { hundredths, scoreOf } from './score.ts'

type Row = Pick<Judged, 'name' | 'judgements'>
type IsOwn = (judge: string, participant: string) => boolean

/** Returns the report card of a judge; null if it judged nothing. */
export function cardOf(
  judge: string,
  findings: Findings,
  rows: readonly Row[],
  compared: readonly Compared[],
  isOwn: IsOwn,
): ReportCard | null {
  const brief = findings.config.name
  const byRubric = ratingsOf(brief, rows)
  const ratings = byRubric.length > 0 ? byRubric : ratingsOfPairs(compared.map((each) => ({ brief, ...each })))
  if (!ratings.some((each) => each.judge === judge)) return null
  const stood = stoodBy(judge, findings)
  const { position, orderEffect, ownFamily, severity, spread, caught } = cardOn({
    judge,
    ratings,
    placed: placedBy(judge, brief, findings),
    pairs: compared.filter((each) => each.judge === judge).map(({ orders }) => orders),
    isOwn: (participant) => isOwn(judge, participant),
    stood,
  })
  const shown = (mean: { readonly mean: number } | null): number | null => (mean === null ? null : hundredths(mean.mean))
  return {
    position,
    caught: [...caught],
    orderEffect: shown(orderEffect),
    ownFamily: shown(ownFamily),
    citations: citationsOf(judge, findings),
    guesses: guessesOf(judge, findings),
    controls: Object.values(stood).every((each) => each === null) ? null : stood,
    severity: shown(severity),
    spread: spread === null ? null : hundredths(spread.sd),
    spreadBeyondOthers: shown(spread?.beyondOthers ?? null),
  }
}

function citationsOf(judge: string, { citations }: Findings): ReportCard['citations'] {
  const own = citations.get(judge) ?? []
  return own.length === 0 ? null : { given: own.length, found: own.filter(({ isFound }) => isFound).length }
}

/** A judge that names agents may have guessed whose work it sees. */
function guessesOf(judge: string, { answers, pairs, identity: { words } }: Findings): ReportCard['guesses'] {
  const said = answers
    .filter((each) => each.judge === judge)
    .flatMap(({ scores, review }) => [...Object.values(scores.reviews), scores.comment, review])
  const reasons = pairs.filter((each) => each.judge === judge).map(({ why }) => why)
  const named = [...said, ...reasons].map((text) => (text === null ? [] : matches(text, words))).filter((found) => found.length > 0)
  return named.length === 0 ? null : { texts: named.length, words: [...new Set(named.flat())].toSorted() }
}

/** Returns the judges that failed a control. */
export function whoFailed(findings: Findings): ReadonlySet<string> {
  const judges = new Set(findings.controls.map(({ judge }) => judge))
  return new Set([...judges].filter((judge) => failedOf(stoodBy(judge, findings)).length > 0))
}

function stoodBy(judge: string, { controls, config }: Findings): Stood {
  const own = controls.filter((each) => each.judge === judge)
  const pairs = own.flatMap((each) => (each.kind === 'pair' ? [each] : []))
  if (pairs.length > 0) return stoodByPairs(pairs)
  return stoodByRubric(own.flatMap((each) => (each.kind === 'rubric' ? trialOf(each, config.rubric) : [])))
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
