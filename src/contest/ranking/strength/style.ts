/** The sizes of the two submissions of a comparison, one number for each trait: lines, files, words. */
export interface Sizes {
  readonly a: readonly number[]
  readonly b: readonly number[]
}

export interface Style {
  /** The indices of the traits that differ in at least one comparison. The others cannot have an effect. */
  readonly traits: readonly number[]
  /** The covariates of each comparison, one for each of `traits`. */
  readonly covariates: readonly (readonly number[])[]
}

/**
 * Returns the covariates of style for bradleyTerry: (a − b)/(a + b), divided by its root mean square over all comparisons. The mean is not
 * subtracted, so that the result does not depend on which submission is `a`. A coefficient is the effect of a trait in log odds per root
 * mean square.
 */
export function styleOf(sizes: readonly Sizes[]): Style {
  const count = Math.max(0, ...sizes.map(({ a }) => a.length))
  const raw = sizes.map(({ a, b }) => Array.from({ length: count }, (_, trait) => contrast(a[trait] ?? 0, b[trait] ?? 0)))
  const scales = Array.from({ length: count }, (_, trait) =>
    Math.sqrt(raw.reduce((sum, row) => sum + (row[trait] ?? 0) ** 2, 0) / sizes.length),
  )
  const traits = [...scales.keys()].filter((trait) => (scales[trait] ?? 0) > 0)
  return { traits, covariates: raw.map((row) => traits.map((trait) => (row[trait] ?? 0) / (scales[trait] ?? 1))) }
}

function contrast(a: number, b: number): number {
  return a + b === 0 ? 0 : (a - b) / (a + b)
}
