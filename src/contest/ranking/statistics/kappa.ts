import { type Weighting, weightOf } from './gwet.ts'

/**
 * Cohen's κ, weighted (1968): `table[a][b]` counts what the first rater put into step a and the second into step b. Null where nothing varies.
 */
export function weightedKappa(table: readonly (readonly number[])[], weighting: Weighting): number | null {
  const n = table.flat().reduce((sum, each) => sum + each, 0)
  const rows = table.map((row) => row.reduce((sum, each) => sum + each, 0))
  const columns = table.map((_, place) => table.reduce((sum, row) => sum + (row[place] ?? 0), 0))
  let [observed, chance] = [0, 0]
  for (const [a, row] of table.entries())
    for (const [b, count] of row.entries()) {
      const weight = weightOf(a, b, table.length, weighting)
      observed += (weight * count) / n
      chance += (weight * (rows[a] ?? 0) * (columns[b] ?? 0)) / (n * n)
    }
  return n === 0 || chance === 1 ? null : (observed - chance) / (1 - chance)
}
