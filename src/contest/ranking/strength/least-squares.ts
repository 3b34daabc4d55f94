import { roundingVariance, smallestGap } from '../probability/smallest-gap.ts'
import type { Estimate } from './estimate.ts'
import { influencesOf, sumAtZero } from './influences.ts'
import { inverse, Matrix, type Solve, solver } from './matrix.ts'

/** One judge's points for one brief. A lenient judge or an easy brief raises all points of a block equally. */
export interface Block {
  /** The index of the block's cluster. */
  readonly cluster: number
  /** The index of each participant → its points, from 0 to 100. Participants that were not judged are absent. */
  readonly points: ReadonlyMap<number, number>
}

export interface LeastSquaresOptions {
  /** The number of participants. */
  readonly participants: number
  readonly clusters: number
}

/**
 * Returns strengths in points of 100, by least squares of `points = participant + block` (a two-way layout with gaps; Searle, Linear
 * Models, 1971, chapter 7). Returns null if some participants are not connected with the others by shared blocks.
 * @throws RangeError if the index of a cluster does not exist
 */
export function leastSquares(blocks: readonly Block[], { participants: n, clusters }: LeastSquaresOptions): Estimate | null {
  const constraint = sumAtZero(n, n)
  const total = new Matrix(n)
  total.addAll(constraint)
  const right = new Array<number>(n).fill(0)
  const informations = Array.from({ length: clusters }, () => new Matrix(n))
  for (const { cluster, points } of blocks) {
    const information = informations[cluster]
    if (information === undefined) throw new RangeError(`no cluster ${cluster}`)
    for (const row of points.keys()) {
      information.add(row, row, 1)
      for (const column of points.keys()) information.add(row, column, -1 / points.size)
    }
    addCentred(right, points)
  }
  for (const information of informations) total.addAll(information)
  const solve = solver(total)
  if (solve === null) return null
  const strengths = solve(right)
  const parts = informations.map((information) => ({ information, gradient: new Array<number>(n).fill(0) }))
  for (const { cluster, points } of blocks)
    addCentred(parts[cluster]?.gradient ?? [], new Map([...points].map(([row, value]) => [row, value - (strengths[row] ?? 0)])))
  return { strengths, coefficients: [], ...influencesOf(parts, constraint), coarse: roundingOf(blocks, solve, n) }
}

/** Adds each value's deviation from the mean of its block to `sums`. */
function addCentred(sums: number[], values: ReadonlyMap<number, number>): void {
  const mean = [...values.values()].reduce((sum, each) => sum + each, 0) / values.size
  for (const [row, value] of values) sums[row] = (sums[row] ?? 0) + value - mean
}

/** Returns the covariances that independent rounding of every score causes: its variance · H⁻¹. */
function roundingOf(blocks: readonly Block[], solve: Solve, n: number): Matrix {
  const step = smallestGap(blocks.flatMap(({ points }) => [...points.values()]))
  return step === null ? new Matrix(n) : inverse(solve, n, n, roundingVariance(step))
}
