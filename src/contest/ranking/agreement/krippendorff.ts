import { comparedValues, type Unit } from './units.ts'

/** The level of measurement: names, positions in an order, or amounts. */
export type Level = 'nominal' | 'ordinal' | 'interval'

/**
 * Returns Krippendorff's α (Content Analysis, 2004, chapter 11): 1 is full agreement, 0 is chance level. Units with fewer than two ratings
 * do not count. Returns null if the ratings do not vary or if there are none to compare.
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

/** Returns the frequency of each value, in ascending order of values. */
function countsOf(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const value of [...values].sort((a, b) => a - b)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Returns the sum of distances over all ordered pairs. */
function pairsOf(counts: ReadonlyMap<number, number>, distance: (a: number, b: number) => number): number {
  let sum = 0
  for (const [a, left] of counts) for (const [b, right] of counts) if (a !== b) sum += left * right * distance(a, b)
  return sum
}

function distanceOf(totals: ReadonlyMap<number, number>, level: Level): (a: number, b: number) => number {
  if (level === 'nominal') return () => 1
  if (level === 'interval') return (a, b) => (a - b) ** 2
  // For each group of equal values, the number of values below its middle.
  const middles = new Map<number, number>()
  let below = 0
  for (const [value, count] of totals) {
    middles.set(value, below + count / 2)
    below += count
  }
  return (a, b) => ((middles.get(a) ?? 0) - (middles.get(b) ?? 0)) ** 2
}
