import type { Estimate } from './estimate.ts'
import { Matrix, solver } from './matrix.ts'

/** One comparison. `a` and `b` are places in the list of participants. */
export interface Comparison {
  readonly a: number
  readonly b: number
  /** What `a` got, from 0 to 1: 1 is better, 0 worse, ½ a tie. */
  readonly score: number
  /** How often it counts; 1 if it is not given. */
  readonly weight?: number
  /** Place of the cluster that it belongs to: comparisons of one brief, or of one judge, depend on each other. */
  readonly cluster: number
  /** What speaks for `a` beside its strength, such as how much longer it is, standardised. */
  readonly covariates?: readonly number[]
}

export interface BradleyTerryOptions {
  readonly participants: number
  readonly clusters: number
  readonly covariates?: number
  /** Standard deviation of the normal prior of each strength, in log odds; Infinity: none, and then somebody who always wins has no estimate. */
  readonly priorSd?: number
}

const mostSteps = 100

/**
 * Strengths by Bradley and Terry (1952), a tie being half a win, at the most likely place, by Newton's method. A difference of ln 2 is won 2 times
 * of 3. Null: there is no such place (no prior, and somebody only wins, or was never compared with the others).
 */
export function bradleyTerry(comparisons: readonly Comparison[], options: BradleyTerryOptions): Estimate | null {
  const { participants: n, clusters, covariates = 0, priorSd = 3 } = options
  const size = n + covariates
  const theta = new Array<number>(size).fill(0)
  const odds = ({ a, b, covariates: x = [] }: Comparison): number => {
    let sum = (theta[a] ?? 0) - (theta[b] ?? 0)
    for (let each = 0; each < covariates; each += 1) sum += (x[each] ?? 0) * (theta[n + each] ?? 0)
    return sum
  }
  const precision = 1 / (priorSd * priorSd)
  /** Minus the matrix of second derivatives; the sum of the strengths, which nothing else holds, is held at zero. */
  const hessian = (): Matrix => {
    const result = new Matrix(size)
    for (let row = 0; row < n; row += 1) for (let column = 0; column < n; column += 1) result.add(row, column, 1 / n)
    for (let row = 0; row < n; row += 1) result.add(row, row, precision)
    for (const each of comparisons) {
      const p = 1 / (1 + Math.exp(-odds(each)))
      const slope = (each.weight ?? 1) * p * (1 - p)
      const along = direction(each, n, covariates)
      for (const [row, left] of along) for (const [column, right] of along) result.add(row, column, slope * left * right)
    }
    return result
  }
  /** How much the likelihood grows with each parameter, by cluster. */
  const gradients = (): number[][] => {
    const result = Array.from({ length: clusters }, () => new Array<number>(size).fill(0))
    for (const each of comparisons) {
      const of = result[each.cluster]
      if (of === undefined) throw new RangeError(`no cluster ${each.cluster}`)
      const left = (each.weight ?? 1) * (each.score - 1 / (1 + Math.exp(-odds(each))))
      for (const [row, value] of direction(each, n, covariates)) of[row] = (of[row] ?? 0) + left * value
    }
    return result
  }
  for (let step = 0; step < mostSteps; step += 1) {
    const solve = solver(hessian())
    if (solve === null) return null
    const total = new Array<number>(size).fill(0)
    for (let row = 0; row < n; row += 1) total[row] = -precision * (theta[row] ?? 0)
    for (const gradient of gradients()) for (const [row, value] of gradient.entries()) total[row] = (total[row] ?? 0) + value
    const move = solve(total)
    const longest = Math.max(...move.map(Math.abs))
    // A step that goes too far would leave the place where the method converges.
    const scale = Math.min(1, 2 / longest)
    for (const [row, value] of move.entries()) theta[row] = (theta[row] ?? 0) + scale * value
    if (longest < 1e-10) {
      const last = solver(hessian())
      if (last === null) return null
      return { strengths: theta.slice(0, n), coefficients: theta.slice(n), influences: gradients().map(last) }
    }
  }
  return null
}

/** Where a comparison points: the parameters that it concerns, and how much. */
function direction({ a, b, covariates: x = [] }: Comparison, n: number, covariates: number): (readonly [number, number])[] {
  const result: (readonly [number, number])[] = [
    [a, 1],
    [b, -1],
  ]
  for (let each = 0; each < covariates; each += 1) result.push([n + each, x[each] ?? 0])
  return result
}
