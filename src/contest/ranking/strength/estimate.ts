import type { Influences } from './influences.ts'
import type { Matrix } from './matrix.ts'

/** The strengths of participants, and the data for their uncertainty. */
export interface Estimate extends Influences {
  /** The strength of each participant, in log odds (Bradley–Terry) or in points of 100 (rubric). Strengths are relative and sum to zero. */
  readonly strengths: readonly number[]
  /** The coefficient of each covariate, in the order of the input. */
  readonly coefficients: readonly number[]
  /**
   * The covariances of the strengths that there are even if all clusters agree, because equal coarse answers prove little: those of rounding
   * to the steps of a scale or, by pairs, those of the model, which takes comparisons as independent.
   */
  readonly coarse: Matrix
}
