/** The agreement of raters on an order (Kendall's coefficient of concordance). */
export interface Concordance {
  /** Kendall's W, from 0 to 1, without a correction for ties. */
  readonly w: number
  /** Kendall's W, corrected for ties. */
  readonly wTied: number
  /** Friedman's χ², corrected for ties. */
  readonly chiSquare: number
  /** Degrees of freedom of χ². */
  readonly degrees: number
}

/**
 * Returns Kendall's W (Rank Correlation Methods, 4th edition, 1970, chapter 6). Each row is one rater, with a value for each item. Returns
 * null if the values do not vary, or if there are fewer than two raters or items.
 * @throws RangeError if the rows have different lengths
 */
export function kendall(rows: readonly (readonly number[])[]): Concordance | null {
  const [m, n] = [rows.length, rows[0]?.length ?? 0]
  if (rows.some(({ length }) => length !== n)) throw new RangeError('the rows have different lengths')
  if (m < 2 || n < 2) return null
  const sums = new Array<number>(n).fill(0)
  let ties = 0
  for (const row of rows) {
    const order = row.map((_, place) => place).sort((a, b) => (row[a] ?? 0) - (row[b] ?? 0))
    for (let from = 0, to = 0; from < n; from = to) {
      while (to < n && row[order[to] ?? 0] === row[order[from] ?? 0]) to += 1
      ties += (to - from) ** 3 - (to - from)
      // Equal values share the mean of their ranks.
      for (const place of order.slice(from, to)) sums[place] = (sums[place] ?? 0) + (from + 1 + to) / 2
    }
  }
  const middle = (m * (n + 1)) / 2
  const spread = sums.reduce((sum, each) => sum + (each - middle) ** 2, 0)
  const most = (m * m * (n ** 3 - n)) / 12
  const mostTied = most - (m * ties) / 12
  if (mostTied === 0) return null
  return { w: spread / most, wTied: spread / mostTied, chiSquare: (m * (n - 1) * spread) / mostTied, degrees: n - 1 }
}
