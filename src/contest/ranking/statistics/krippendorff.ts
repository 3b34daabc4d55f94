/** What a unit was given, by rater; null: that rater gave nothing. */
export type Unit = readonly (number | null)[]

/** Of which sort values are: names, places in an order, or amounts. */
export type Level = 'nominal' | 'ordinal' | 'interval'

/**
 * Krippendorff's α (Content Analysis, 2004, chapter 11): 1 is agreement, 0 what chance gives. Units with fewer than two values do not count. Null where
 * nothing varies, or nothing can be compared.
 */
export function krippendorff(units: readonly Unit[], level: Level): number | null {
  const paired = units.map((unit) => unit.filter((each) => each !== null)).filter(({ length }) => length > 1)
  const values = [...new Set(paired.flat())].sort((a, b) => a - b)
  if (values.length < 2) return null
  const totals = values.map((value) => paired.flat().filter((each) => each === value).length)
  const n = paired.flat().length
  const distance = (a: number, b: number): number => {
    if (level === 'nominal') return a === b ? 0 : 1
    if (level === 'interval') return ((values[a] ?? 0) - (values[b] ?? 0)) ** 2
    const [from, to] = a < b ? [a, b] : [b, a]
    const between = totals.slice(from, to + 1).reduce((sum, each) => sum + each, 0)
    return a === b ? 0 : (between - ((totals[a] ?? 0) + (totals[b] ?? 0)) / 2) ** 2
  }
  let observed = 0
  for (const unit of paired) {
    const places = unit.map((value) => values.indexOf(value))
    for (const [one, a] of places.entries())
      for (const [other, b] of places.entries()) if (one !== other) observed += distance(a, b) / (unit.length - 1)
  }
  let expected = 0
  for (const [a, left] of totals.entries()) for (const [b, right] of totals.entries()) expected += (left * right * distance(a, b)) / (n - 1)
  return 1 - observed / expected
}
