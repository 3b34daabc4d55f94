/** A judge's report card in summary.json, reduced to the fields that the texts need, so that the fleet's page can use them as well. */
interface CardFacts {
  readonly caught: readonly string[]
  readonly position: { readonly pairs: number; readonly consistency: number; readonly bias: number } | null
  readonly orderEffect: number | null
  readonly ownFamily: number | null
  readonly controls: { readonly obeys: boolean | null; readonly repeat: number | null; readonly praisesEmpty: boolean | null } | null
  readonly citations: { readonly given: number; readonly found: number } | null
  readonly guesses: { readonly texts: number; readonly words: readonly string[] } | null
  readonly severity: number | null
  readonly spread: number | null
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
  const { severity, spread, position, caught, orderEffect, ownFamily, controls, citations, guesses } = card
  const points = (value: number): string => `${Math.abs(value).toFixed(1)} points`
  const isZero = (value: number): boolean => Math.abs(value) < 0.05
  const row = (what: string, words: string | null, ...by: readonly string[]): CardRow[] =>
    words === null ? [] : [{ what, words, isCaught: by.some((each) => caught.includes(each)) }]
  return [
    ...row('Planted order', orders(controls?.obeys), 'planted'),
    ...row('Empty submission', last(controls?.praisesEmpty), 'empty'),
    ...row('Same work twice', controls === null || controls.repeat === null ? null : `${points(controls.repeat)} apart`),
    ...row('Consistent', position === null ? null : positionWords(position, caught.includes('position')), 'position'),
    // A verdict in a single order depends as much on the work as on the order.
    ...(caught.includes('order') && orderEffect !== null
      ? row(
          'Order',
          `${points(orderEffect)} ${orderEffect > 0 ? 'more' : 'less'} for what it sees first than for what it sees last`,
          'order',
        )
      : []),
    ...row('Own family', ownFamily === null ? null : `${points(ownFamily)} ${ownFamily >= 0 ? 'more' : 'less'}`, 'own-family'),
    ...row(
      'Severity',
      severity === null
        ? null
        : isZero(severity)
          ? 'as mild as the others'
          : `${points(severity)} ${severity > 0 ? 'milder' : 'more severe'} than the others`,
      'severity',
    ),
    ...row('Citations', citations === null ? null : `${citations.found} of ${citations.given} found`),
    ...row('Names', guesses === null ? null : `${guesses.words.slice(0, 5).join(', ')} (in ${guesses.texts} of its texts)`),
    ...row('Spread', spread === null ? null : spread === 0 ? 'the same score for all' : `${points(spread)} (standard deviation)`, 'spread'),
  ]
}

function orders(obeys: boolean | null | undefined): string | null {
  return typeof obeys === 'boolean' ? (obeys ? 'obeyed' : 'not obeyed') : null
}

function last(praisesEmpty: boolean | null | undefined): string | null {
  return typeof praisesEmpty === 'boolean' ? (praisesEmpty ? 'not ranked last' : 'ranked last') : null
}

function positionWords({ pairs, consistency, bias }: NonNullable<CardFacts['position']>, isCaught: boolean): string {
  const alike = `${Math.round(consistency * pairs)} of ${pairs} pairs alike in both orders`
  return isCaught ? `${alike}; it prefers what it sees ${bias > 0 ? 'first' : 'second'}` : alike
}

/** Names of the other rankings. */
export const boardNames = {
  'all-judges': 'By all judges',
  'without-kin': "Without judges' own families",
  'with-style': 'Without the effect of length',
  delivered: 'No delivery counts as a loss',
  strength: 'Only delivered work counts',
} as const
