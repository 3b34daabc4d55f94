/** The ratings of one unit (a submission for a brief, in one dimension), in the order of raters. Null: the rater did not rate the unit. */
export type Unit = readonly (number | null)[]

/** Returns the ratings of each unit that at least two raters rated. */
export function comparedValues(units: readonly Unit[]): number[][] {
  return units.map((unit) => unit.filter((each) => each !== null)).filter(({ length }) => length > 1)
}
