/** The results of several attempts at one brief. `k` is the k of pass@k and pass^k. */
export interface Repeats {
  readonly attempts: number
  readonly passed: number
  readonly k: number
}

/**
 * Returns pass@k, the probability that at least one of `k` attempts passes: 1 − C(n−c,k)/C(n,k) (Chen et al., arXiv 2107.03374). Null if
 * `k` > `attempts`.
 */
export function passAtK({ attempts, passed, k }: Repeats): number | null {
  const none = passPowerK({ attempts, passed: attempts - passed, k })
  return none === null ? null : 1 - none
}

/**
 * Returns pass^k, the probability that all of `k` attempts pass: C(c,k)/C(n,k) (Yao et al., arXiv 2406.12045). Null if `k` > `attempts`.
 */
export function passPowerK({ attempts, passed, k }: Repeats): number | null {
  if (k > attempts) return null
  let all = 1
  for (let each = 0; each < k; each += 1) all *= Math.max(0, passed - each) / (attempts - each)
  return all
}
