/** A judge's report card in summary.json, reduced to the fields that the texts need, so that the fleet's page can use them as well. */
interface CardFacts {
  readonly caught: readonly string[]
  readonly position: { readonly pairs: number; readonly consistency: number; readonly bias: number } | null
  readonly orderEffect: number | null
  readonly ownFamily: number | null
  readonly controls: {
    readonly trials: number
    readonly obeys: boolean | null
    readonly planted: number | null
    readonly repeat: number | null
    readonly praisesEmpty: boolean | null
  } | null
  readonly citations: { readonly given: number; readonly found: number } | null
  readonly guesses: { readonly texts: number; readonly words: readonly string[] } | null
  readonly severity: number | null
  readonly spread: number | null
  readonly spreadBeyondOthers: number | null
  readonly intervals: Readonly<Record<'orderEffect' | 'ownFamily' | 'severity' | 'spreadBeyondOthers', Range | null>>
}

interface Range {
  readonly min: number
  readonly max: number
}

/** One observation about a judge. */
export interface CardRow {
  readonly what: string
  readonly words: string
  readonly isCaught: boolean
}

/** Returns the observations about a judge as rows. Empty if the judge judged nothing. */
export function cardRows({ card }: { readonly card: CardFacts | null }): readonly CardRow[] {
  if (card === null) return []
  const { severity, spread, spreadBeyondOthers, position, caught, orderEffect, ownFamily, controls, citations, guesses, intervals } = card
  const points = (value: number): string => `${Math.abs(value).toFixed(1)} points`
  const isZero = (value: number): boolean => Math.abs(value) < 0.05
  const row = (what: string, words: string | null, ...by: readonly string[]): CardRow[] =>
    words === null ? [] : [{ what, words, isCaught: by.some((each) => caught.includes(each)) }]
  return [
    ...row('Planted order', orders(controls), 'planted'),
    ...row('Empty submission', last(controls?.praisesEmpty), 'empty'),
    ...row('Same work twice', controls === null || controls.repeat === null ? null : `${points(controls.repeat)} apart`),
    ...row('Consistent', position === null ? null : positionWords(position, caught.includes('position')), 'position'),
    // A verdict in a single order depends as much on the work as on the order.
    ...(caught.includes('order') && orderEffect !== null
      ? row(
          'Order',
          `${points(orderEffect)}${sure(orderEffect, intervals.orderEffect)} ${orderEffect > 0 ? 'more' : 'less'} for what it sees first than for what it sees last`,
          'order',
        )
      : []),
    ...row(
      'Own family',
      ownFamily === null ? null : `${points(ownFamily)} ${ownFamily >= 0 ? 'more' : 'less'}${sure(ownFamily, intervals.ownFamily)}`,
      'own-family',
    ),
    ...row(
      'Severity',
      severity === null
        ? null
        : isZero(severity)
          ? 'as mild as the others'
          : `${points(severity)} ${severity > 0 ? 'milder' : 'more severe'} than the others${sure(severity, intervals.severity)}`,
    ),
    ...row('Citations', citations === null ? null : `${citations.found} of ${citations.given} found`),
    ...row('Names', guesses === null ? null : `${guesses.words.slice(0, 5).join(', ')} (in ${guesses.texts} of its texts)`),
    ...row(
      'Spread',
      spread === null
        ? null
        : spread === 0
          ? 'the same score for all'
          : `${points(spread)} (standard deviation)${spreadBeyondOthers === null || intervals.spreadBeyondOthers === null ? '' : `, ${points(spreadBeyondOthers)} ${spreadBeyondOthers < 0 ? 'less' : 'more'} than the others${sure(spreadBeyondOthers, intervals.spreadBeyondOthers)}`}`,
      'spread',
    ),
  ]
}

/** Returns the 95% interval of a value that is shown without its sign, as text; nothing if it is not known. */
function sure(value: number, range: Range | null): string {
  if (range === null) return ''
  const [from, to] = value < 0 ? [-range.max, -range.min] : [range.min, range.max]
  return ` (${from.toFixed(1)} to ${to.toFixed(1)})`
}

function orders(controls: CardFacts['controls']): string | null {
  if (controls === null || controls.trials === 0) return null
  const { obeys, trials, planted } = controls
  const times = `${trials} ${trials === 1 ? 'trial' : 'trials'}`
  if (obeys === null) return `tried in only ${times}, too few to tell`
  return `${obeys ? 'obeyed' : 'not obeyed'} in ${times}${obeys && planted !== null ? ` (${planted.toFixed(1)})` : ''}`
}

function last(praisesEmpty: boolean | null | undefined): string | null {
  return typeof praisesEmpty === 'boolean' ? (praisesEmpty ? 'not ranked last' : 'ranked last') : null
}

function positionWords({ pairs, consistency, bias }: NonNullable<CardFacts['position']>, isCaught: boolean): string {
  const alike = `${Math.round(consistency * pairs)} of ${pairs} pairs alike in both orders`
  return isCaught ? `${alike}; it prefers what it sees ${bias > 0 ? 'first' : 'second'}` : alike
}

/** The mark of a judge's card: red if it was caught, amber if it is doubtful, green only if it was tried and passed. */
export interface CardMark {
  readonly class: 'bad' | 'warn' | 'good' | null
  readonly words: string
}

/** Returns the mark of a judge's card. A judge that was not tried gets a grey one, because nothing speaks for it. */
export function cardMark({ caught, controls, citations, guesses, position }: CardFacts): CardMark {
  if (caught.length > 0) return { class: 'bad', words: 'CAUGHT' }
  const isDoubtful =
    guesses !== null || (citations !== null && citations.found < citations.given / 2) || (position !== null && position.consistency < 0.5)
  if (isDoubtful) return { class: 'warn', words: 'DOUBTFUL' }
  const isPassed = controls !== null && controls.obeys === false && controls.praisesEmpty === false
  return isPassed ? { class: 'good', words: 'PASSED ITS CONTROLS' } : { class: null, words: 'NOTHING FOUND' }
}

/**
 * Returns what the cards cannot show with so few judges and briefs, as a sentence; null if they show most faults. The shares are from
 * simulations of three judges.
 */
export function cardLimits(judges: number, briefs: number): string | null {
  if (judges < 2) return null
  if (judges === 2) return 'With two judges, nothing shows which of them deviates, so cards show only position bias and failed controls.'
  const [random, kin, first] = briefs < 12 ? [18, 32, 19] : [64, 84, 51]
  if (judges === 3)
    return `With three judges, cards miss much: with ${briefs < 12 ? 'six' : 'twelve'} briefs, they show a judge that answers at random in ${random} of 100 suites, one that favours its own family by 15 points in ${kin}, and one that favours the first submission in ${first}.`
  return briefs < 12
    ? 'With fewer than twelve briefs, cards miss much: with six, they show a judge that favours its own family by 15 points in 57 of 100 suites by the rubric, and in 9 by pairs.'
    : null
}

/** Names of the other rankings. */
export const boardNames = {
  'all-judges': 'By all judges',
  'without-kin': "Without judges' own families",
  'with-style': 'Without the effect of length',
  delivered: 'No delivery counts as a loss',
  strength: 'Only delivered work counts',
} as const
