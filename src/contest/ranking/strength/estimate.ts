import type { Matrix } from './matrix.ts'

/** The strengths of `n` participants, and the data for their uncertainty. */
export interface Estimate {
  /** One for each participant, in log odds (Bradley–Terry) or in points of 100 (rubric). They are relative: they sum to zero. */
  readonly strengths: readonly number[]
  /** One for each covariate, in the order of the input. */
  readonly coefficients: readonly number[]
  /**
   * For each cluster, how far it moved the strengths and then the coefficients; see influences.ts. Empty if there is one cluster, or if
   * participants are connected by only one of the clusters, because the uncertainty of the estimate is then unknown.
   */
  readonly influences: readonly (readonly number[])[]
  /** Covariances of the strengths that are caused just by rounding to the steps of a scale; null if the model has no scale. */
  readonly rounding: Matrix | null
}
