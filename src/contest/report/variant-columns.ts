import { winsOf } from '../ranking/against-base.ts'
import type { AgainstBase } from '../ranking/against-base-schema.ts'
import { type Column, numeric } from './draw-tables.ts'

/** The title of the comparison of variants with their bases. */
export const variantsTitle = 'Variants and their bases'

/** Each variant and its difference from the first variant of its participant. */
export const variantColumns: readonly Column<AgainstBase>[] = [
  { head: 'Variant', text: ({ name }) => name },
  { head: 'Sets', text: ({ sets }) => sets.join('; ') || '–' },
  { head: 'Base', text: ({ base }) => base },
  { head: 'Difference', text: ({ difference, unit }) => valueText(difference, unit), sort: ({ difference }) => difference, ...numeric },
  {
    head: '95% interval',
    text: ({ interval, unit }) => (interval === null ? '–' : `${valueText(interval.low, unit)} to ${valueText(interval.high, unit)}`),
    ...numeric,
  },
  {
    head: 'Cost',
    text: ({ costRatio }) => (costRatio === null ? '–' : `${costRatio.toFixed(2)}×`),
    sort: ({ costRatio }) => costRatio,
    ...numeric,
  },
  // The page shows it below the table, because a narrow screen has no room beside numbers.
  { head: { markdown: 'Result' }, text: ({ sentence }) => sentence },
]

function valueText(value: number | null, unit: AgainstBase['unit']): string {
  if (value === null) return '–'
  if (unit === 'log odds') return `wins ${winsOf(value)}%`
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}`
}
