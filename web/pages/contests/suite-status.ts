import { dataOf, useData } from '../../data.ts'
import { api } from '../../session.ts'

/** How far a suite is, as `paddock suite status --json` prints it. It has no scores. */
export interface SuiteStatus {
  readonly suite: string
  readonly contests: readonly {
    /** Its brief and repeat: `parse-dates/2`. */
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

/** The word for the state of a whole suite. */
export function stateOf({ contests }: SuiteStatus): 'done' | 'pending' | 'unfinished' {
  if (contests.length > 0 && contests.every(({ state }) => state === 'complete')) return 'done'
  return contests.every(({ state }) => state === 'not-run') ? 'pending' : 'unfinished'
}

export const runWords = { complete: 'done', unfinished: 'unfinished', 'not-run': 'pending' } as const
