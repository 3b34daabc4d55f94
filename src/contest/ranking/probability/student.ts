/** Returns ln Γ(x) for x > 0, accurate to 1e-13 (Lanczos, g = 7, nine terms). */
function logGamma(x: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012,
    9.9843695780195716e-6, 1.5056327351493116e-7,
  ]
  const below = x - 1
  const sum = terms.reduce((total, term, index) => total + term / (below + index + 1), 0.99999999999980993)
  const shifted = below + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (below + 0.5) * Math.log(shifted) - shifted + Math.log(sum)
}

/** Returns the regularised incomplete beta function I_x(a, b), using its continued fraction (NIST DLMF 8.17.22) and Lentz's method. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a
  const least = 1e-300
  const safe = (value: number): number => (Math.abs(value) < least ? least : value)
  let [c, d] = [1, 1 / safe(1 - ((a + b) * x) / (a + 1))]
  let result = d
  for (let m = 1; m < 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / safe(1 + even * d)
    c = safe(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / safe(1 + odd * d)
    c = safe(1 + odd / c)
    result *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return front * result
}

/** Returns the probability that Student's t with `degrees` (> 0) degrees of freedom is at least as far from zero as `t`. */
export function studentTwoSided(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)
}

/**
 * Returns the `p`-quantile (0 < p < 1) of Student's t distribution with `degrees` (> 0) degrees of freedom, with a relative error of at
 * most 1e-10.
 */
export function studentQuantile(p: number, degrees: number): number {
  return p < 0.5 ? -studentCritical(2 * p, degrees) : studentCritical(2 * (1 - p), degrees)
}

/** Returns the t that Student's t with `degrees` (> 0) degrees of freedom exceeds, on either side of zero, with probability `tail`. */
export function studentCritical(tail: number, degrees: number): number {
  let [low, high] = [0, 1]
  while (studentTwoSided(high, degrees) > tail) high *= 2
  for (let step = 0; step < 200 && high - low > 1e-12 * high; step += 1) {
    const middle = (low + high) / 2
    if (studentTwoSided(middle, degrees) > tail) low = middle
    else high = middle
  }
  return (low + high) / 2
}
