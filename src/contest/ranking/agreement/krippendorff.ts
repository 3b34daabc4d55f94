import { comparedValues, type Unit } from './units.ts'

/** What values are: names, places in an order, or amounts. */
export type Level = 'nominal' | 'ordinal' | 'interval'

/**
 * Returns Krippendorff's α (Content Analysis, 2004, chapter 11): 1 is agreement, 0 what chance gives. Units that fewer than two raters rated do not count.
 * Returns null if nothing varies or nothing can be compared.
 */
export function krippendorff(units: readonly Unit[], level: Level): number | null {
  const compared = comparedValues(units)
  const totals = countsOf(compared.flat())
  if (totals.size < 2) return null
  const distance = distanceOf(totals, level)
  let observed = 0
  for (const unit of compared) observed += pairsOf(countsOf(unit), distance) / (unit.length - 1)
  const n = compared.flat().length
  return 1 - (observed * (n - 1)) / pairsOf(totals, distance)
}

/** How often each value is there, from the smallest on. */
function countsOf(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const value of [...values].sort((a, b) => a - b)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** The sum of distances over all ordered pairs. */
function pairsOf(counts: ReadonlyMap<number, number>, distance: (a: number, b: number) => number): number {
  let sum = 0
  for (const [a, left] of counts) for (const [b, right] of counts) if (a !== b) sum += left * right * distance(a, b)
  return sum
}

function distanceOf(totals: ReadonlyMap<number, number>, level: Level): (a: number, b: number) => number {
  if (level === 'nominal') return () => 1
  if (level === 'interval') return (a, b) => (a - b) ** 2
  // How many values are below the middle of those that are the same.
  const middles = new Map<number, number>()
  let below = 0
  for (const [value, count] of totals) {
    middles.set(value, below + count / 2)
    below += count
  }
  return (a, b) => ((middles.get(a) ?? 0) - (middles.get(b) ?? 0)) ** 2
}
