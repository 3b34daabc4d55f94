/** Returns the probability that a standard normal variable is at least as far from zero as `z`, accurate to 1e-14. */
export function normalTwoSided(z: number): number {
  const x = Math.abs(z)
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  if (x < 3) {
    // Marsaglia, Journal of Statistical Software 11 (2004): x + x³/3 + x⁵/(3·5) + …
    let [term, sum] = [x, x]
    for (let odd = 3; term > 1e-17 * sum; odd += 2) {
      term *= (x * x) / odd
      sum += term
    }
    return Math.max(0, 1 - 2 * density * sum)
  }
  // Laplace's continued fraction (NIST DLMF 7.9.2): 1/(x + 1/(x + 2/(x + …)))
  let fraction = x
  for (let each = 200; each >= 1; each -= 1) fraction = x + each / fraction
  return (2 * density) / fraction
}

/** Returns the `p`-quantile of the standard normal distribution (0 < p < 1), with a relative error of at most 1e-10. */
export function normalQuantile(p: number): number {
  if (p < 0.5) return -normalQuantile(1 - p)
  const tail = 2 * (1 - p)
  let [low, high] = [0, 40]
  while (high - low > 1e-13 * high) {
    const middle = (low + high) / 2
    if (normalTwoSided(middle) > tail) low = middle
    else high = middle
  }
  return (low + high) / 2
}
