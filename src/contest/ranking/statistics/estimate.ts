/** What is known of `n` participants. Strengths are relative: they sum to zero. */
export interface Estimate {
  /** Of each participant, in the unit of its model: log odds (Bradley–Terry), or points of 100 (rubric). */
  readonly strengths: readonly number[]
  /** Of each covariate, in the order in which they were given. */
  readonly coefficients: readonly number[]
  /**
   * What each cluster moved: H⁻¹ times the gradient of its part of the likelihood at the estimate; first the participants, then the covariates.
   * They sum to what the prior holds back, which is next to nothing.
   */
  readonly influences: readonly (readonly number[])[]
}
