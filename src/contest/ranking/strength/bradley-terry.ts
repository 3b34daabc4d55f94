import type { Estimate } from './estimate.ts'
import { influencesOf, type Part, sumAtZero } from './influences.ts'
import { inverse, Matrix, solver } from './matrix.ts'

/** One comparison. `a` and `b` are indices in the list of participants. */
export interface Comparison {
  readonly a: number
  readonly b: number
  /** The share that `a` won, from 0 to 1: 1 is a win, ½ a tie, ¾ a win in one order and a tie in the other. */
  readonly score: number
  /** The number of times that the comparison counts; default 1. */
  readonly weight?: number
  /** The index of the comparison's cluster. Comparisons of one brief, or of one judge, depend on each other. */
  readonly cluster: number
  /** Advantages of `a` other than its strength, for example how much longer it is. See style.ts. */
  readonly covariates?: readonly number[]
}

export interface BradleyTerryOptions {
  /** The number of participants. */
  readonly participants: number
  readonly clusters: number
  readonly covariates?: number
  /** The standard deviation of the normal prior of each strength and coefficient, in log odds; default 3. Infinity means no prior. */
  readonly priorSd?: number
}

const mostSteps = 100
/** The maximum length of a step. A longer one could leave the region where Newton's method converges. */
const longestStep = 2

/**
 * Returns strengths by the Bradley–Terry model (Biometrika 39, 1952), with a tie as half a win. They are at the maximum of the posterior,
 * found by Newton's method. A participant that is ln 2 stronger than another wins 2 of 3. Returns null if the comparisons are not
 * sufficient: some participants are not connected with the others, a covariate cannot be separated from strength, or, without a prior, a
 * participant only wins or only loses.
 * @throws RangeError if the index of a cluster or a participant does not exist
 */
export function bradleyTerry(comparisons: readonly Comparison[], options: BradleyTerryOptions): Estimate | null {
  const { participants, clusters, covariates = 0, priorSd = 3 } = options
  const size = participants + covariates
  const precision = 1 / (priorSd * priorSd)
  const theta = new Float64Array(size)
  const constraint = sumAtZero(participants, size)
  const byCluster = Array.from({ length: clusters }, (): Comparison[] => [])
  for (const each of comparisons) {
    const cluster = byCluster[each.cluster]
    if (cluster === undefined || !isPlace(each.a, participants) || !isPlace(each.b, participants))
      throw new RangeError(`no such place: ${each.a}, ${each.b}, cluster ${each.cluster}`)
    cluster.push(each)
  }
  if (
    solver(
      sumOf(
        constraint,
        byCluster.map((each) => partOf(each, theta, participants)),
      ),
    ) === null
  )
    return null
  for (let step = 0; step < mostSteps; step += 1) {
    const parts = byCluster.map((each) => partOf(each, theta, participants))
    // Each cluster gets an equal share of the prior.
    for (const { information } of parts) for (let row = 0; row < size; row += 1) information.add(row, row, precision / clusters)
    const total = theta.map((value) => -precision * value)
    for (const { gradient } of parts) for (let row = 0; row < size; row += 1) total[row] = (total[row] ?? 0) + (gradient[row] ?? 0)
    const solve = solver(sumOf(constraint, parts))
    if (solve === null) return null
    const move = solve(total)
    const longest = Math.max(...move.map(Math.abs))
    if (longest < 1e-10)
      return {
        strengths: Array.from(theta.subarray(0, participants)),
        coefficients: Array.from(theta.subarray(participants)),
        ...influencesOf(parts, constraint),
        coarse: inverse(solve, participants, size),
      }
    const scale = Math.min(1, longestStep / longest)
    for (const [row, value] of move.entries()) theta[row] = (theta[row] ?? 0) + scale * value
  }
  return null
}

function isPlace(place: number, n: number): boolean {
  return Number.isInteger(place) && place >= 0 && place < n
}

function sumOf(constraint: Matrix, parts: readonly Part[]): Matrix {
  const sum = new Matrix(constraint.size)
  sum.addAll(constraint)
  for (const { information } of parts) sum.addAll(information)
  return sum
}

/** Returns the derivatives of one cluster's log likelihood at `theta`, which has the strengths of n participants, then the coefficients. */
function partOf(comparisons: readonly Comparison[], theta: Float64Array, n: number): Part {
  const covariates = theta.length - n
  const information = new Matrix(theta.length)
  const gradient = new Float64Array(theta.length)
  // The parameters of a comparison and their factors: a, b, then all covariates.
  const rows = Int32Array.from({ length: 2 + covariates }, (_, each) => n + each - 2)
  const along = new Float64Array(2 + covariates)
  along[0] = 1
  along[1] = -1
  for (const { a, b, score, weight = 1, covariates: x } of comparisons) {
    rows[0] = a
    rows[1] = b
    for (let each = 0; each < covariates; each += 1) along[2 + each] = x?.[each] ?? 0
    let odds = 0
    for (let each = 0; each < along.length; each += 1) odds += (along[each] ?? 0) * (theta[rows[each] ?? 0] ?? 0)
    const p = 1 / (1 + Math.exp(-odds))
    const slope = weight * p * (1 - p)
    for (let left = 0; left < along.length; left += 1) {
      const [row, value] = [rows[left] ?? 0, along[left] ?? 0]
      gradient[row] = (gradient[row] ?? 0) + weight * (score - p) * value
      for (let right = 0; right < along.length; right += 1) information.add(row, rows[right] ?? 0, slope * value * (along[right] ?? 0))
    }
  }
  return { information, gradient }
}
