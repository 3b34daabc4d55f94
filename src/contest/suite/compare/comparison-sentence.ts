import path from 'node:path'
import type { Comparison, Measure } from './comparison-schema.ts'

type Participant = Comparison['participants'][number]

/** Returns the result of one participant, as sentences. */
export function comparisonSentence({ base, new: now, whyNot, measures }: Participant, decides: Comparison['decides']): string {
  const name = base.name === now.name ? now.name : `${now.name} (before: ${base.name})`
  if (whyNot !== null) return `${name} is not compared: ${whyNot}.`
  const main = measures.find((each) => each.name === decides)
  if (main === undefined) return `${name} is not compared: nothing was measured in both runs.`
  const others = measures.filter((each) => each !== main && (each.verdict === 'worse' || each.verdict === 'better'))
  return [sentenceOf(name, main), ...others.map((each) => `${measureWords[each.name]}: ${changeWords(each)}.`)].join(' ')
}

/** Returns short names of the runs: their directories, or the whole paths if those are called the same. */
export function runNames({ base, new: now }: Pick<Comparison, 'base' | 'new'>): readonly [base: string, now: string] {
  const [before, after] = [base, now].map((each) => path.basename(each))
  return before === undefined || after === undefined || before === after ? [base, now] : [before, after]
}

/** The names of measures at the beginning of a text. */
export const measureWords: Readonly<Record<Measure['name'], string>> = {
  score: 'Score',
  checks: 'Checks',
  delivered: 'Delivered',
  cost: 'Cost',
  time: 'Time',
}

function sentenceOf(name: string, measure: Measure): string {
  const { briefs, verdict, finds } = measure
  const what = measure.name === 'score' ? '' : ` in ${measureWords[measure.name].toLowerCase()}`
  const where = `${briefs} ${briefs === 1 ? 'brief' : 'briefs'}`
  if (verdict === 'too-few') return `Nothing can be said about ${name}${what} with ${where}: ${signed(measure.difference)} points.`
  if (verdict === 'not-seen') {
    const found =
      finds === null
        ? ''
        : finds > 100
          ? ' No loss would be found.'
          : ` A loss of ${finds.toFixed(1)} points would be found in 80 of 100 such comparisons.`
    return `No difference of ${name}${what} can be seen with ${where}: ${changeWords(measure)}.${found}`
  }
  return `${name} is ${verdict}${what} by ${Math.abs(measure.difference).toFixed(1)} points with ${where} (95% interval ${intervalWords(measure)}).`
}

/** Returns text such as `−4.2 points (−9.0 to 0.6)`, or `+20% (5% to 37%)` for a ratio. */
export function changeWords(measure: Measure): string {
  const { name, difference, interval } = measure
  const change = name === 'cost' || name === 'time' ? percentChange(difference) : `${signed(difference)} points`
  return interval === null ? change : `${change} (${intervalWords(measure)})`
}

function intervalWords({ name, interval }: Measure): string {
  if (interval === null) return '–'
  const { low, high } = interval
  return name === 'cost' || name === 'time' ? `${percentChange(low)} to ${percentChange(high)}` : `${signed(low)} to ${signed(high)}`
}

/** Returns a ratio as a change in percent, or as a factor if it is large. */
function percentChange(ratio: number): string {
  return ratio >= 10 ? `×${ratio.toPrecision(2)}` : `${signed((ratio - 1) * 100, 0)}%`
}

/** Returns a number with its sign. */
export function signed(value: number, digits = 1): string {
  const text = Math.abs(value).toFixed(digits)
  return `${Number(text) === 0 ? '' : value > 0 ? '+' : '−'}${text}`
}
