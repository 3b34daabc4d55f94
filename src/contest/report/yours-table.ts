import type { Summary } from '../ranking/summary.ts'
import { cell, table } from './markdown.ts'
import { yourAgreementWords, yourWords } from './words.ts'

/** Returns your answers, and how much judges agree with you, as Markdown. */
export function yoursTable({ you }: Pick<Summary, 'you'>): string[] {
  if (you === null) return []
  const rows = you.agreement.map((each) => [
    cell(each.judge),
    yourAgreementWords(each),
    each.kappa === null ? '–' : each.kappa.toFixed(2),
    String(each.n),
  ])
  return [
    '## You',
    '',
    `${yourWords(you)} Your answers do not affect the ranking.`,
    '',
    ...(rows.length === 0 ? [] : [...table(['Judge', 'Agrees with you', 'Cohen’s κ (linear)', 'Comparisons'], rows), '']),
  ]
}
