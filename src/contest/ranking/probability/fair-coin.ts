/**
 * Returns the exact two-sided probability that `n` fair coins fall at least as unevenly as `heads` of `n` (the binomial sign test). Returns
 * 1 if `n` is 0.
 */
export function fairCoin(heads: number, n: number): number {
  const few = Math.min(heads, n - heads)
  let sum = 0
  // Uses logarithms, because 2^n overflows a double from 1,024 coins on.
  let log = -n * Math.LN2
  for (let each = 0; each <= few; each += 1) {
    sum += Math.exp(log)
    log += Math.log((n - each) / (each + 1))
  }
  return Math.min(1, 2 * sum)
}
