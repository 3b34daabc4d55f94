import { PaddockError } from '../../base/errors.ts'
import { formatCost } from '../../base/quantities.ts'
import { printable } from '../../base/text.ts'
import { type DetectionPlan, planDetection } from '../../contest/suite/plan-detection.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'

/** Runs `paddock suite plan`. */
export async function suitePlanned(
  directory: string,
  options: { readonly detect: string; readonly sd?: string },
): Promise<Answer<Result<'suite plan'>>> {
  const sd = options.sd === undefined ? null : points('--sd', options.sd)
  const plan = await planDetection(directory, points('--detect', options.detect), sd, new Date())
  return { data: plan, lines: lines(plan) }
}

function points(option: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0 && value <= 100))
    throw new PaddockError('BAD_INPUT', `${option} ${text}: must be a number of points above 0, up to 100.`)
  return value
}

function lines({ suite, detect, sd, repeats, now, needed, smallest }: DetectionPlan): string[] {
  const from = { results: 'as in the results so far', option: 'as given', assumed: 'assumed, because nothing was run yet' }[sd.from]
  const scale = ({ briefs, cells, money }: DetectionPlan['now']): string =>
    `${briefs} briefs${repeats === 1 ? '' : ` × ${repeats}`}, ${cells} runs of participants and judges${money === null ? '' : `, about ${formatCost(money)}`}`
  return [
    `${printable(suite)}: differences between two participants vary by ${sd.points.toFixed(1)} points from brief to brief (${from})`,
    `to find a difference of ${detect} points: ${needed === null ? 'over 100,000 briefs' : scale(needed)}`,
    `as it is: ${scale(now)}; ${smallest === null || smallest > 100 ? 'too few briefs to find any difference' : `it finds a difference of ${smallest.toFixed(1)} points or more`}`,
    'A difference is found if the verdict names the better one as the leader in 80 of 100 such suites.',
  ]
}
