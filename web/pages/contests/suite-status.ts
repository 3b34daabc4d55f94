import { dataOf, useData } from '../../data.ts'
import { api } from '../../session.ts'

/** The progress of a suite, from `paddock suite status --json`. Scores are not included. */
export interface SuiteStatus {
  readonly suite: string
  readonly contests: readonly {
    /** The brief and the repeat: `parse-dates/2`. */
    readonly run: string
    readonly state: 'complete' | 'unfinished' | 'not-run'
    readonly open: { readonly participants: number; readonly judges: number }
  }[]
  readonly broken: readonly { readonly path: string; readonly problem: string }[]
}

export function useSuiteStatus(directory: string) {
  return useData(
    ['suites', directory],
    async () => dataOf(await api.GET('/api/v1/suites/status', { params: { query: { directory } } })) as unknown as SuiteStatus,
    { everyMs: 30_000 },
  )
}

/** Returns the state of a whole suite. */
export function stateOf({ contests }: SuiteStatus): 'done' | 'pending' | 'unfinished' {
  if (contests.length > 0 && contests.every(({ state }) => state === 'complete')) return 'done'
  return contests.every(({ state }) => state === 'not-run') ? 'pending' : 'unfinished'
}

export const runWords = { complete: 'done', unfinished: 'unfinished', 'not-run': 'pending' } as const
