import { formatNumber } from '../../report/words.ts'
import type { Share, SuiteRow, SuiteSummary } from './summary.ts'

/** Returns text such as `8 of 10: 80% (49–94%)`. */
export function shareWords({ hits, of, share, interval }: Share): string {
  if (share === null) return '–'
  const sure = interval === null ? '' : ` (${percent(interval.low)}–${percent(interval.high)}%)`
  return `${hits} of ${of}: ${percent(share)}%${sure}`
}

/** Returns text such as `pass@2 84%, pass^2 36%`, for the largest known number of attempts; null if that number is one. */
export function chanceWords({ passes }: Pick<SuiteRow, 'passes'>): string | null {
  const last = passes?.chances.at(-1)
  if (last === undefined || last.k === 1) return null
  return `pass@${last.k} ${percent(last.any)}%, pass^${last.k} ${percent(last.all)}%`
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
