import { passAtK, passPowerK } from '../../ranking/probability/repeats.ts'
import { wilson } from '../../ranking/probability/wilson.ts'
import type { Share, SuiteRow } from './suite-summary.ts'

/** One attempt at a brief, and whether it was a hit. */
export interface Try {
  readonly brief: string
  readonly isHit: boolean
}

/** Returns the mean over briefs of the share of hits, with its interval (see `shareSchema`). */
export function shareOf(tries: readonly Try[]): Share {
  const shares = countsOf(tries).map(({ attempts, passed }) => passed / attempts)
  const found = wilson(
    shares.reduce((sum, each) => sum + each, 0),
    shares.length,
  )
  return {
    hits: tries.filter(({ isHit }) => isHit).length,
    of: tries.length,
    share: found?.share ?? null,
    interval: found === null ? null : { low: found.low, high: found.high },
  }
}

/** Returns, for each k up to `most`, pass@k and pass^k as means over the briefs with at least k attempts. */
export function chancesOf(tries: readonly Try[], most: number): NonNullable<SuiteRow['passes']>['chances'] {
  const byBrief = countsOf(tries)
  return Array.from({ length: most }, (_, index) => index + 1).flatMap((k) => {
    const known = byBrief.flatMap((each) => {
      const [any, all] = [passAtK({ ...each, k }), passPowerK({ ...each, k })]
      return any === null || all === null ? [] : [{ any, all }]
    })
    if (known.length === 0) return []
    const mean = (of: 'any' | 'all'): number => known.reduce((sum, each) => sum + each[of], 0) / known.length
    return [{ k, any: mean('any'), all: mean('all'), briefs: known.length }]
  })
}

function countsOf(tries: readonly Try[]): { attempts: number; passed: number }[] {
  return [...Map.groupBy(tries, ({ brief }) => brief).values()].map((own) => ({
    attempts: own.length,
    passed: own.filter(({ isHit }) => isHit).length,
  }))
}
