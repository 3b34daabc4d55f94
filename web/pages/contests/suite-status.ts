import type { components } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'

export type SuiteStatus = components['schemas']['SuiteStatus']

export function useSuiteStatus(directory: string) {
  return useData(['suites', directory], async () => dataOf(await api.GET('/api/v1/suites/status', { params: { query: { directory } } })), {
    everyMs: 30_000,
  })
}

/** Returns the state of a whole suite. */
export function stateOf({ contests }: SuiteStatus): 'done' | 'pending' | 'unfinished' {
  if (contests.length > 0 && contests.every(({ state }) => state === 'complete')) return 'done'
  return contests.every(({ state }) => state === 'not-run') ? 'pending' : 'unfinished'
}

export const runWords = { complete: 'done', unfinished: 'unfinished', 'not-run': 'pending' } as const
