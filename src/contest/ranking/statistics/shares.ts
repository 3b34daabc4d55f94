/** The normal quantile of 0.975. */
const z = 1.959963984540054

/** A share with the ends of its interval, all from 0 to 1. */
export interface Share {
  readonly share: number
  readonly low: number
  readonly high: number
}

/** The 95% interval of a share by Wilson (1927): `hits` of `n`; null if n is 0. */
export function wilson(hits: number, n: number): Share | null {
  if (n === 0) return null
  const share = hits / n
  const middle = (share + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** The exact two-sided probability of so uneven an outcome, or more, of `n` fair coins of which `heads` fell on one side. */
export function fairCoin(heads: number, n: number): number {
  const few = Math.min(heads, n - heads)
  let sum = 0
  // By logarithms: 2^n is too large for a double from 1,024 coins on.
  let log = -n * Math.LN2
  for (let each = 0; each <= few; each += 1) {
    sum += Math.exp(log)
    log += Math.log((n - each) / (each + 1))
  }
  return Math.min(1, 2 * sum)
}

/** Which of these p-values are significant at `level` together (Holm 1979). In the order in which they were given. */
export function holm(values: readonly number[], level = 0.05): boolean[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 1) - (values[b] ?? 1))
  const result = values.map(() => false)
  for (const [place, index] of order.entries()) {
    if ((values[index] ?? 1) > level / (values.length - place)) break
    result[index] = true
  }
  return result
}

/** The chance that at least one of `k` attempts passes, where `passed` of `n` did (Chen et al. 2021); null if k > n. */
export function passAt(k: number, passed: number, n: number): number | null {
  if (k > n) return null
  let none = 1
  for (let each = 0; each < k; each += 1) none *= Math.max(0, n - passed - each) / (n - each)
  return 1 - none
}

/** The chance that each of `k` attempts passes, where `passed` of `n` did (Yao et al. 2024); null if k > n. */
export function passEvery(k: number, passed: number, n: number): number | null {
  if (k > n) return null
  let all = 1
  for (let each = 0; each < k; each += 1) all *= Math.max(0, passed - each) / (n - each)
  return all
}
