/** How much raters agree on an order. */
export interface Concordance {
  /** From 0 to 1. */
  readonly w: number
  /** The same with the correction for ties. */
  readonly wTied: number
  /** Friedman's χ² with ties, with n − 1 degrees of freedom. */
  readonly chiSquare: number
}

/**
 * Kendall's W (Rank Correlation Methods, chapter 6) of complete rows: each of m raters has a value for each of n things. Null where nothing varies.
 * @throws RangeError if a row has another length than the first
 */
export function kendall(rows: readonly (readonly number[])[]): Concordance | null {
  const [m, n] = [rows.length, rows[0]?.length ?? 0]
  if (rows.some(({ length }) => length !== n)) throw new RangeError('the rows have different lengths')
  const ranks = rows.map(meanRanks)
  const sums = Array.from({ length: n }, (_, place) => ranks.reduce((sum, row) => sum + (row[place] ?? 0), 0))
  const middle = (m * (n + 1)) / 2
  const spread = sums.reduce((sum, each) => sum + (each - middle) ** 2, 0)
  const ties = rows.reduce((sum, row) => sum + tiesOf(row), 0)
  const most = (m * m * (n ** 3 - n)) / 12
  const mostTied = most - (m * ties) / 12
  if (m < 2 || n < 2 || mostTied === 0) return null
  return { w: spread / most, wTied: spread / mostTied, chiSquare: (m * (n - 1) * spread) / mostTied }
}

/** Ranks from 1; equal values share the mean of theirs. */
function meanRanks(values: readonly number[]): number[] {
  return values.map((value) => values.filter((each) => each < value).length + (values.filter((each) => each === value).length + 1) / 2)
}

/** The sum of t³ − t over groups of t equal values. */
function tiesOf(values: readonly number[]): number {
  return [...new Set(values)].reduce((sum, value) => {
    const t = values.filter((each) => each === value).length
    return sum + t ** 3 - t
  }, 0)
}
