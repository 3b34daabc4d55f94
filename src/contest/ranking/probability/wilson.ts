import { normalQuantile } from './normal.ts'

/** A share and the bounds of its interval, all from 0 to 1. */
export interface Share {
  readonly share: number
  readonly low: number
  readonly high: number
}

/**
 * Returns the share `hits` of `n` with its 95% interval (Wilson, Journal of the American Statistical Association 22, 1927); null if `n` is
 * 0.
 */
export function wilson(hits: number, n: number): Share | null {
  if (n === 0) return null
  const z = normalQuantile(0.975)
  const share = hits / n
  const middle = (share + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}
