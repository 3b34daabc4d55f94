import type { Unit } from './units.ts'
import { placeOn, type Weighting, weightOf } from './weights.ts'

/**
 * Returns Cohen's weighted κ (Psychological Bulletin 70, 1968): 1 is full agreement, 0 is chance level. `table[a][b]` counts the units that
 * the first rater put on step a and the second on step b. Returns null if the ratings do not vary.
 */
export function weightedKappa(table: readonly (readonly number[])[], weighting: Weighting): number | null {
  const n = table.flat().reduce((sum, each) => sum + each, 0)
  const rows = table.map((row) => row.reduce((sum, each) => sum + each, 0))
  const columns = table.map((_, place) => table.reduce((sum, row) => sum + (row[place] ?? 0), 0))
  let [observed, chance] = [0, 0]
  for (const [a, row] of table.entries())
    for (const [b, count] of row.entries()) {
      const apart = 1 - weightOf(a, b, table.length, weighting)
      observed += (apart * count) / n
      chance += (apart * (rows[a] ?? 0) * (columns[b] ?? 0)) / (n * n)
    }
  return n === 0 || chance === 0 ? null : 1 - observed / chance
}

/**
 * Returns the table for weightedKappa of two raters, given by their positions in a unit, over the units that both rated.
 * @throws RangeError if a value is not a step of the scale
 */
export function tableOf(units: readonly Unit[], scale: readonly number[], [first, second]: readonly [number, number]): number[][] {
  const table = scale.map(() => scale.map(() => 0))
  for (const unit of units) {
    const [a, b] = [unit[first] ?? null, unit[second] ?? null]
    if (a === null || b === null) continue
    const [row, column] = [table[placeOn(scale, a)], placeOn(scale, b)]
    if (row !== undefined) row[column] = (row[column] ?? 0) + 1
  }
  return table
}
