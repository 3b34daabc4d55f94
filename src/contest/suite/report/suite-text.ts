import { formatNumber } from '../../report/result-text.ts'
import type { Share, SuiteRow, SuiteSummary } from './suite-summary.ts'

/** Returns text such as `8 of 10: 80% (49–94%)`. */
export function shareWords({ hits, of, share, interval }: Share): string {
  if (share === null) return '–'
  const sure = interval === null ? '' : ` (${percent(interval.low)}–${percent(interval.high)}%)`
  return `${hits} of ${of}: ${percent(share)}%${sure}`
}

/** Returns the largest known number of attempts at a brief whose chances are known; null if no brief was tried more than once. */
export function knownChances(rows: readonly Pick<SuiteRow, 'passes'>[]): number | null {
  const most = Math.max(1, ...rows.flatMap(({ passes }) => passes?.chances.map(({ k }) => k) ?? []))
  return most === 1 ? null : most
}

/** Returns the chance that any, or all, of k attempts at a brief pass, as a percentage. */
export function chancesWords({ passes }: Pick<SuiteRow, 'passes'>, most: number, which: 'any' | 'all'): string {
  const chance = passes?.chances.find(({ k }) => k === most)
  return chance === undefined ? '–' : `${percent(chance[which])}%`
}

/** Returns the result of one participant in one contest, as a short text. */
export function resultWords({ score, checks, outcome }: SuiteSummary['briefs'][number]['runs'][number]['results'][number]): string {
  if (outcome !== 'delivered') return outcome === null ? 'not run' : outcome.replaceAll('-', ' ')
  const passed = checks.counted === 0 ? null : `${checks.passed}/${checks.counted}`
  return [score === null ? null : formatNumber(score), passed].filter((each) => each !== null).join(', ') || 'delivered'
}

/** Returns a share as a whole number of percent. */
export function percent(share: number): number {
  return Math.round(share * 100)
}
