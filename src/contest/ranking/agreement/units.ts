/** What one unit (a submission at a brief, in one dimension) got from each rater, in the order of raters. Null: that rater gave nothing. */
export type Unit = readonly (number | null)[]

/** Returns the values of each unit that two raters or more rated. */
export function comparedValues(units: readonly Unit[]): number[][] {
  return units.map((unit) => unit.filter((each) => each !== null)).filter(({ length }) => length > 1)
}
