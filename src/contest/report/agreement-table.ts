import type { Summary } from '../ranking/summary.ts'
import { cell, table } from './markdown.ts'
import { agreementWords } from './words.ts'

/** Returns how much judges agree, as Markdown. */
export function agreementTable({ agreement }: Pick<Summary, 'agreement'>): string[] {
  if (agreement.length === 0) return []
  const rows = agreement.map((each) => [
    cell(each.dimension),
    agreementWords(each),
    each.alpha === null ? '–' : each.alpha.ordinal.toFixed(2),
    String(each.n),
  ])
  return ['## How much judges agree', '', ...table(['Dimension', 'Agreement', 'Krippendorff’s α (ordinal)', 'Submissions'], rows), '']
}
