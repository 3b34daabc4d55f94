import type { Estimate } from './estimate.ts'
import { Matrix, solver } from './matrix.ts'

/** What one judge gave at one brief: whoever is mild, or judges an easy brief, is so to all of a block. */
export interface Block {
  /** Place of the cluster that it belongs to. */
  readonly cluster: number
  /** Points from 0 to 100, by the place of the participant; those who are missing are not in it. */
  readonly points: ReadonlyMap<number, number>
}

/**
 * Strengths of participants in points of 100, by least squares of `points = participant + block` (a two-way layout with gaps; Searle, Linear Models,
 * 7). Null: some are never judged together with the others, not even by way of third ones, so nothing compares them.
 */
export function leastSquares(
  blocks: readonly Block[],
  { participants: n, clusters }: { participants: number; clusters: number },
): Estimate | null {
  const information = new Matrix(n)
  const right = new Array<number>(n).fill(0)
  for (let row = 0; row < n; row += 1) for (let column = 0; column < n; column += 1) information.add(row, column, 1 / n)
  for (const { points } of blocks) {
    const mean = meanOf([...points.values()])
    for (const [row, value] of points) {
      right[row] = (right[row] ?? 0) + value - mean
      information.add(row, row, 1)
      for (const column of points.keys()) information.add(row, column, -1 / points.size)
    }
  }
  const solve = solver(information)
  if (solve === null) return null
  const strengths = solve(right)
  const influences = Array.from({ length: clusters }, () => new Array<number>(n).fill(0))
  for (const { cluster, points } of blocks) {
    const of = influences[cluster]
    if (of === undefined) throw new RangeError(`no cluster ${cluster}`)
    const rests = [...points].map(([row, value]) => [row, value - (strengths[row] ?? 0)] as const)
    const mean = meanOf(rests.map(([, rest]) => rest))
    for (const [row, rest] of rests) of[row] = (of[row] ?? 0) + rest - mean
  }
  return { strengths, coefficients: [], influences: influences.map(solve) }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
