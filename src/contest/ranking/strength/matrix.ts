/** A square matrix of numbers, initially zero. */
export class Matrix {
  readonly size: number
  readonly #values: Float64Array

  constructor(size: number) {
    this.size = size
    this.#values = new Float64Array(size * size)
  }

  at(row: number, column: number): number {
    return this.#values[row * this.size + column] ?? Number.NaN
  }

  add(row: number, column: number, value: number): void {
    const place = row * this.size + column
    this.#values[place] = (this.#values[place] ?? 0) + value
  }

  /** Returns the product of this matrix and a vector. */
  times(vector: readonly number[]): number[] {
    const result = new Array<number>(this.size).fill(0)
    for (let row = 0; row < this.size; row += 1) {
      let sum = 0
      for (let column = 0; column < this.size; column += 1) sum += (this.#values[row * this.size + column] ?? 0) * (vector[column] ?? 0)
      result[row] = sum
    }
    return result
  }

  /** Adds another matrix, times `factor`. */
  addAll(other: Matrix, factor = 1): void {
    for (let place = 0; place < this.#values.length; place += 1)
      this.#values[place] = (this.#values[place] ?? 0) + factor * (other.#values[place] ?? 0)
  }
}

/** Returns the solution x of `matrix · x = y`. */
export type Solve = (y: ArrayLike<number>) => number[]

/** Returns the first `n` rows and columns of the inverse of the matrix that `solve` is for, times `factor`. `size`: the size of that matrix. */
export function inverse(solve: Solve, n: number, size: number, factor = 1): Matrix {
  const result = new Matrix(n)
  for (let column = 0; column < n; column += 1) {
    const unit = Array.from({ length: size }, (_, place) => Number(place === column))
    for (const [row, value] of solve(unit).entries()) if (row < n) result.add(row, column, value * factor)
  }
  return result
}

/**
 * Returns a solver for a symmetric positive definite matrix, using the Cholesky decomposition (Golub and Van Loan, Matrix Computations,
 * 4.2). Returns null if the matrix is not positive definite, within 1e-10 of its largest element.
 */
export function solver(matrix: Matrix): Solve | null {
  const { size } = matrix
  const lower = new Matrix(size)
  let largest = 0
  for (let row = 0; row < size; row += 1) largest = Math.max(largest, matrix.at(row, row))
  for (let column = 0; column < size; column += 1)
    for (let row = column; row < size; row += 1) {
      let sum = matrix.at(row, column)
      for (let each = 0; each < column; each += 1) sum -= lower.at(row, each) * lower.at(column, each)
      if (row > column) lower.add(row, column, sum / lower.at(column, column))
      else if (sum > 1e-10 * largest) lower.add(row, row, Math.sqrt(sum))
      else return null
    }
  return (y) => {
    const x = Array.from(y)
    for (let row = 0; row < size; row += 1) {
      let sum = x[row] ?? 0
      for (let each = 0; each < row; each += 1) sum -= lower.at(row, each) * (x[each] ?? 0)
      x[row] = sum / lower.at(row, row)
    }
    for (let row = size - 1; row >= 0; row -= 1) {
      let sum = x[row] ?? 0
      for (let each = row + 1; each < size; each += 1) sum -= lower.at(each, row) * (x[each] ?? 0)
      x[row] = sum / lower.at(row, row)
    }
    return x
  }
}
