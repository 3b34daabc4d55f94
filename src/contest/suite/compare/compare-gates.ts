import { PaddockError } from '../../../base/errors.ts'
import { holm } from '../../ranking/probability/holm.ts'
import { type BriefDifference, fewestBriefs, findableLoss, type LossRule, upperBound } from './brief-difference.ts'
import type { GateResult, Measure, MeasureName } from './comparison-schema.ts'

/** A condition under which a comparison fails. */
export interface Gate {
  /** The condition as it was written. */
  readonly text: string
  /** Null: the measure by which the suite ranks. */
  readonly measure: MeasureName | null
  /** The loss in points of 100; for cost and time, the factor of the increase: 1.2 is 20% more. */
  readonly least: number
}

const pattern = /^(?:(score|checks|delivered|cost|time) )?worse by (\d{1,4}(?:\.\d{1,3})?)(%| points?)?$/

/** Returns the condition in a text such as `worse by 3` or `cost worse by 20%`. Throws BAD_INPUT. */
export function gateOf(text: string): Gate {
  const [, measure, number, unit = ''] = pattern.exec(text.trim()) ?? []
  const bad = (hint: string): PaddockError => new PaddockError('BAD_INPUT', `--fail-if "${text}" is not a condition.`, { hint })
  if (number === undefined)
    throw bad('Write for example "worse by 3", "checks worse by 10", "delivered worse by 10", "cost worse by 20%" or "time worse by 50%"')
  const isRatio = measure === 'cost' || measure === 'time'
  if (isRatio !== (unit === '%')) throw bad(isRatio ? `Write a percentage: "${measure} worse by 20%"` : 'Write points of 100, without %')
  const value = Number(number)
  if (!isRatio && value > 100) throw bad('Write at most 100 points')
  return { text: text.trim(), measure: (measure ?? null) as MeasureName | null, least: isRatio ? 1 + value / 100 : value }
}

/** The chance of a false failure. Times depend on the load of a machine, which no test accounts for. */
export const levelOf = (measure: MeasureName): number => (measure === 'time' ? 0.01 : 0.05)

/** Measures that are compared as ratios, on a logarithmic scale on which less is better. */
export const isRatio = (measure: MeasureName): boolean => measure === 'cost' || measure === 'time'

/** The measure of one participant to be tested. */
export interface Tested {
  readonly participant: string
  /** Null: nothing was measured in both runs. */
  readonly difference: BriefDifference | null
  readonly basis: Measure['basis'] | null
  /** False: too many attempts failed for reasons other than the participant's work. */
  readonly isComparable: boolean
}

/**
 * Returns the results of a condition for all participants, tested together (Holm). It fails if a loss is certain and the estimate is at least
 * the wanted loss. `surely`: if the loss is at least that with 95% certainty. What cannot be tested is not passed.
 */
export function testGate(
  { text, least }: Pick<Gate, 'text' | 'least'>,
  measure: MeasureName,
  all: readonly Tested[],
  surely: boolean,
): GateResult[] {
  const tested = all.filter((each) => whyUntested(each, measure) === null)
  const rule = ruleOf(measure, least, tested.length)
  const certain = holm(
    tested.map(({ difference }) => difference?.sure?.pWorse ?? 1),
    rule.level,
  )
  return all.map((each): GateResult => {
    const about = { gate: text, participant: each.participant, measure }
    const { difference } = each
    const why = whyUntested(each, measure)
    if (why !== null || difference === null) return { ...about, state: 'untested', why, finds: null }
    const isLarge = surely ? (upperBound(difference) ?? 0) <= -rule.least : difference.estimate <= -rule.least
    const isFailed = certain[tested.indexOf(each)] === true && isLarge
    return { ...about, state: isFailed ? 'failed' : 'passed', why: null, finds: findableLoss(difference, rule) }
  })
}

/** Returns why a measure cannot be tested; null: it can. */
function whyUntested({ difference, isComparable, basis }: Tested, measure: MeasureName): string | null {
  if (!isComparable) return 'too many attempts failed, or were not judged, for reasons other than its work'
  if (difference === null) return `nothing was measured for ${measure} in both runs`
  if (basis === 'as-judged') return 'scores of the old judgings never gate, because judges may have been milder or stricter'
  return difference.sure === null ? `${difference.briefs} of at least ${fewestBriefs} briefs can be compared` : null
}

/** Returns the rule of a measure. On a logarithmic scale, the least loss is the logarithm of the factor. */
export function ruleOf(measure: MeasureName, least: number, together: number): LossRule {
  return { level: levelOf(measure), together, least: isRatio(measure) ? Math.log(least) : least }
}
