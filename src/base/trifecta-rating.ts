/** What happens if a cell would have all three parts of the lethal trifecta, the loosest first. */
export const trifectaRules = ['warn', 'ask', 'forbid'] as const
export type TrifectaRule = (typeof trifectaRules)[number]
export const defaultTrifectaRule: TrifectaRule = 'warn'

/** Returns true if one rule lets fewer cells start than the other. */
export function isStricter(one: TrifectaRule, other: TrifectaRule): boolean {
  return trifectaRules.indexOf(one) > trifectaRules.indexOf(other)
}

/** The rule, and the FILE:LINE that sets it, or `default`. */
export interface OriginedRule {
  readonly rule: TrifectaRule
  readonly origin: string
}

/** The wishes of a cell's spec about the trifecta. */
export interface TrifectaWish {
  /** A rule in addition to that of the user's configuration. The stricter one counts. */
  readonly rule?: OriginedRule
  /** What removes a part, as a hint; null: no option or key does. */
  readonly remedy: string | null
}

/**
 * The parts of the lethal trifecta (Willison, 2025: private data, untrusted content, a way out), each with its evidence as short texts
 * for one line.
 */
export interface TrifectaParts {
  readonly privateData: readonly string[]
  readonly untrusted: readonly string[]
  readonly wayOut: readonly string[]
}

/** The parts, cut to a size that fits into reports and logs. `all`: true if each part has evidence. */
export interface TrifectaRating extends TrifectaParts {
  readonly all: boolean
}

/** Limits of a rating: texts of each part, and characters of each text. */
export const mostEvidence = 20
export const mostCharacters = 200

/** Rates the parts. Pure. */
export function rated({ privateData, untrusted, wayOut }: TrifectaParts): TrifectaRating {
  const parts = { privateData: bounded(privateData), untrusted: bounded(untrusted), wayOut: bounded(wayOut) }
  return { all: Object.values(parts).every((each) => each.length > 0), ...parts }
}

function bounded(texts: readonly string[]): readonly string[] {
  const kept = texts.length > mostEvidence ? [...texts.slice(0, mostEvidence - 1), `and ${texts.length - mostEvidence + 1} more`] : texts
  return kept.map((each) => (each.length > mostCharacters ? `${each.slice(0, mostCharacters - 1)}…` : each))
}
