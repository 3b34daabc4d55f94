import { useLayoutEffect, useRef, useState } from 'react'
import type { components } from '../../../src/client/api.ts'
import { changed, dataOf, type Loaded, useData } from '../../data.ts'
import { api } from '../../page-session.ts'

export type SuiteStatus = components['schemas']['SuiteStatus']
export type SuiteWork = components['schemas']['SuiteWork']
type OneContest = SuiteStatus['contests'][number]

/** Milliseconds between two requests while a process works on a suite, and otherwise. Suites cause no events. */
const [atWorkMs, idleMs] = [3_000, 30_000]

export function useSuiteStatus(directory: string, isAtWork: boolean) {
  return useData(['suites', directory], async () => dataOf(await api.GET('/api/v1/suites/status', { params: { query: { directory } } })), {
    everyMs: isAtWork ? atWorkMs : idleMs,
  })
}

/** A suite, the newest command on it that was started over the API, and whether it or another process works on it. */
export interface ShownSuite {
  readonly status: Loaded<SuiteStatus>
  readonly work: SuiteWork | null
  readonly newest: Loaded<unknown>
  readonly atWork: 'command' | 'elsewhere' | null
}

/** Loads a suite, often while a process works on it. Once that has ended, everything is loaded again. */
export function useSuite(directory: string): ShownSuite {
  const newest = useData(
    ['suites', directory, 'work'],
    async () => dataOf(await api.GET('/api/v1/suites/work', { params: { query: { directory } } })),
    { everyMs: atWorkMs },
  )
  const work = newest.data?.work ?? null
  const isRunning = work?.state === 'running'
  const [isOften, setOften] = useState(false)
  const status = useSuiteStatus(directory, isRunning || isOften)
  // A status from before the end of the command does not show another process.
  const [endedAt, setEndedAt] = useState(0)
  const atWork = isRunning ? 'command' : status.data?.atWork === true && status.at > endedAt ? 'elsewhere' : null
  const before = useRef(atWork)
  useLayoutEffect(() => {
    if (before.current !== null && before.current !== atWork) {
      setEndedAt(Date.now())
      changed(['suites', directory])
    }
    before.current = atWork
    setOften(atWork !== null)
  }, [atWork, directory])
  return { status, work, newest, atWork }
}

/** Returns the state of a whole suite. */
export function stateOf({ contests, atWork }: Pick<SuiteStatus, 'contests' | 'atWork'>): 'running' | 'done' | 'pending' | 'unfinished' {
  if (atWork) return 'running'
  if (contests.length > 0 && contests.every(({ state }) => state === 'complete')) return 'done'
  return contests.every(({ state }) => state === 'not-run') ? 'pending' : 'unfinished'
}

/** Returns the state of one contest. */
export function contestStateOf({ state, atWork }: Pick<OneContest, 'state' | 'atWork'>): 'running' | 'done' | 'pending' | 'unfinished' {
  if (atWork) return 'running'
  return state === 'complete' ? 'done' : state === 'unfinished' ? 'unfinished' : 'pending'
}

/** Returns how many participants and judges of these contests are done, and how many there are. */
export function partsOf(contests: readonly OneContest[]): { readonly done: number; readonly all: number } {
  const sum = (of: 'open' | 'all'): number => contests.reduce((parts, each) => parts + each[of].participants + each[of].judges, 0)
  return { done: sum('all') - sum('open'), all: sum('all') }
}

/** Returns the cost of these contests so far; null if no cost is known. */
export function costOf(contests: readonly OneContest[]): number | null {
  const costs = contests.flatMap(({ costUsd }) => costUsd ?? [])
  return costs.length === 0 ? null : costs.reduce((sum, each) => sum + each, 0)
}

export const suiteAddress = (directory: string): string => `/suites?directory=${encodeURIComponent(directory)}`

export const suiteContestAddress = (directory: string, run: string): string =>
  `/suites/contest?directory=${encodeURIComponent(directory)}&run=${encodeURIComponent(run)}`
