import type { RoleConfig } from '../config/contest-schema.ts'
import type { AgainstBase } from './against-base-schema.ts'
import type { Certainty, Difference } from './certainty.ts'
import { detectable } from './probability/detectable.ts'
import { holm } from './probability/holm.ts'
import { studentCritical, studentTwoSided } from './probability/student.ts'
import { hundredths } from './score.ts'

const level = 0.05

/** Returns the comparison of each variant with the first variant of its participant. `costOf` returns the US dollars of a participant. */
export function againstBase(
  participants: readonly (Pick<RoleConfig, 'name' | 'variant'> & Partial<RoleConfig>)[],
  certainty: Pick<Certainty, 'difference' | 'verdict' | 'unit'> | null,
  costOf: (name: string) => number | null,
): AgainstBase[] {
  if (certainty === null) return []
  const groups = Map.groupBy(
    participants.filter(({ variant }) => variant !== undefined),
    ({ variant }) => variant?.of ?? '',
  )
  return [...groups].flatMap(([of, [base, ...others]]) => {
    if (base === undefined) return []
    const found = others.map(({ name }) => ({ name, difference: certainty.difference(name, base.name) }))
    const tested = found.flatMap(({ name, difference }) =>
      difference === null || difference.error === null ? [] : [{ name, p: chanceOf(difference) }],
    )
    const significant = holm(
      tested.map(({ p }) => p),
      level,
    )
    return found.map(({ name, difference }): AgainstBase => {
      const place = tested.findIndex((each) => each.name === name)
      const sets = setBy(others.find((each) => each.name === name))
      const facts = { of, name, base: base.name, sets, unit: certainty.unit, ...factsOf(difference, others.length, certainty.unit) }
      const about = { ...facts, isDifferent: significant[place] === true, costRatio: ratioOf(costOf(name), costOf(base.name)) }
      return { ...about, sentence: sentenceOf(about, certainty.verdict.clusters) }
    })
  })
}

/** The keys whose values are shown. Others may have secrets, or are long. */
const shownKeys = ['skills', 'instructions', 'prompt', 'model', 'program'] as const

/** Returns what a variant sets, as text. */
function setBy(role: (Pick<RoleConfig, 'variant'> & Partial<RoleConfig>) | undefined): string[] {
  return (role?.variant?.sets ?? []).map((key) => {
    const shown = shownKeys.find((each) => each === key)
    const value = shown === undefined ? undefined : role?.[shown]
    return value === undefined ? key : `${key}: ${[value].flat().join(', ')}`
  })
}

/** Returns the probability that equal participants differ as much. */
function chanceOf({ value, error, degrees }: Difference): number {
  if (value === 0) return 1
  return error === null || error === 0 ? 0 : studentTwoSided(Math.abs(value) / error, degrees)
}

function factsOf(
  difference: Difference | null,
  tests: number,
  unit: AgainstBase['unit'],
): Pick<AgainstBase, 'difference' | 'interval' | 'finds'> {
  if (difference === null) return { difference: null, interval: null, finds: null }
  const { value, error, degrees } = difference
  if (error === null) return { difference: hundredths(value), interval: null, finds: null }
  const most = unit === 'points' ? 100 : Number.POSITIVE_INFINITY
  const half = error === 0 ? 0 : studentCritical(level, degrees) * error
  return {
    difference: hundredths(value),
    // Scores are from 0 to 100.
    interval: { low: hundredths(Math.max(-most, value - half)), high: hundredths(Math.min(most, value + half)) },
    finds: error === 0 ? null : hundredths(detectable(error, degrees, level / tests)),
  }
}

function ratioOf(cost: number | null, base: number | null): number | null {
  return cost === null || base === null || base === 0 ? null : hundredths(cost / base)
}

function sentenceOf(
  { name, base, difference, interval, isDifferent, finds, costRatio, unit }: Omit<AgainstBase, 'sentence'>,
  { by, count }: Certainty['verdict']['clusters'],
): string {
  const units = by === 'judges' ? 'judges' : 'briefs'
  if (difference === null)
    return `${name} and ${base} cannot be compared, because one of them has too few scores or too many attempts that did not finish.`
  if (interval === null)
    return `It takes at least three ${units} to compare ${name} with ${base}; there ${count === 1 ? 'is one' : `are ${count}`}.`
  const cost = costRatio === null ? '' : `, at ${costRatio.toFixed(2)} times its cost`
  if (isDifferent && unit === 'points')
    return `${name} scores ${Math.abs(difference).toFixed(1)} points ${difference > 0 ? 'more' : 'less'} than ${base} over ${count} ${units}${cost}.`
  if (isDifferent) return `${name} wins ${winsOf(difference)}% of comparisons with ${base} over ${count} ${units}${cost}.`
  const power =
    finds === null
      ? ''
      : ` They would show ${unit === 'points' ? `one of ${finds.toFixed(1)} points` : `it if one won ${winsOf(finds)}% of comparisons`} in 80 of 100 cases.`
  return `No difference between ${name} and ${base} can be seen with ${count} ${units}.${power}`
}

/** Returns the comparisons, in percent, that a participant wins against one that is this much weaker in log odds. */
export function winsOf(difference: number): number {
  return Math.round(100 / (1 + Math.exp(-difference)))
}
