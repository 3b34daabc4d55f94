import { formatNumber } from '../../report/words.ts'
import type { Share, SuiteRow, SuiteSummary } from './summary.ts'

/** Returns text such as `8 of 10: 80% (49–94%)`. */
export function shareWords({ hits, of, share, interval }: Share): string {
  if (share === null) return '–'
  const sure = interval === null ? '' : ` (${percent(interval.low)}–${percent(interval.high)}%)`
  return `${hits} of ${of}: ${percent(share)}%${sure}`
}

/** Columns of a leaderboard with what several attempts at a brief would pass. */
export interface ChanceColumns {
  /** `pass@k` and `pass^k` for the largest known k; empty if no brief was tried more than once. */
  readonly heads: readonly string[]
  /** Returns the percentages of a row, one for each head. */
  cells(row: Pick<SuiteRow, 'passes'>): readonly string[]
}

export function chanceColumns(rows: readonly Pick<SuiteRow, 'passes'>[]): ChanceColumns {
  const most = Math.max(1, ...rows.flatMap(({ passes }) => passes?.chances.map(({ k }) => k) ?? []))
  if (most === 1) return { heads: [], cells: () => [] }
  return {
    heads: [`pass@${most}`, `pass^${most}`],
    cells({ passes }) {
      const chance = passes?.chances.find(({ k }) => k === most)
      return chance === undefined ? ['–', '–'] : [`${percent(chance.any)}%`, `${percent(chance.all)}%`]
    },
  }
}

/** Returns the result of one participant in one contest, as a short text. */
export function resultWords({ score, checks, outcome }: SuiteSummary['briefs'][number]['runs'][number]['results'][number]): string {
  if (outcome !== 'delivered') return outcome === null ? 'not run' : outcome.replaceAll('-', ' ')
  const passed = checks.counted === 0 ? null : `${checks.passed}/${checks.counted}`
  return [score === null ? null : formatNumber(score), passed].filter((each) => each !== null).join(', ') || 'delivered'
}

function percent(share: number): number {
  return Math.round(share * 100)
}
