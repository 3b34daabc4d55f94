import { QueryClient, useQuery } from '@tanstack/react-query'
import { type FleetEvent, onEvent } from './live.ts'

/** What is loaded stays until an event, or the end of a gap, says that it may be another. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Number.POSITIVE_INFINITY, gcTime: 300_000, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** What was loaded, and what went wrong at the last try; neither while it is loading for the first time. */
export interface Loaded<Data> {
  readonly data: Data | null
  readonly problem: string | null
  /** When the data came, in milliseconds since 1970; 0: not yet. */
  readonly at: number
  readonly again: () => void
}

/** A key says what is loaded, its first word of which sort: events name these. */
export type Key = readonly [sort: string, ...more: readonly (string | number | boolean | null)[]]

export interface DataOptions {
  /** Loads nothing while false. */
  readonly wanted?: boolean
  /** Milliseconds after which it is loaded again without an event. */
  readonly everyMs?: number
}

export function useData<Data>(key: Key, load: () => Promise<Data>, { wanted = true, everyMs }: DataOptions = {}): Loaded<Data> {
  const found = useQuery({ queryKey: key, queryFn: load, enabled: wanted, ...(everyMs === undefined ? {} : { refetchInterval: everyMs }) })
  return {
    data: found.data ?? null,
    problem: found.error === null ? null : found.error.message,
    at: found.dataUpdatedAt,
    again: () => void found.refetch(),
  }
}

/** Loads again what is shown of these sorts, or of this key. */
export function changed(...keys: readonly Key[]): void {
  for (const key of keys) void queries.invalidateQueries({ queryKey: key })
}

/** What an event concerns: the sorts of data by the first word of its kind. */
const concerned: Readonly<Record<string, readonly string[]>> = {
  agent: ['agents', 'agent', 'inbox'],
  job: ['jobs', 'inbox', 'agent'],
  schedule: ['schedules'],
  hook: ['hooks'],
  webhook: ['webhooks'],
  lease: ['leases'],
  topic: ['leases'],
  session: ['sessions'],
  token: ['tokens'],
  discord: ['discord'],
}
/** Milliseconds that events are gathered for, and that lie between two times at which what they concern is loaded, while there are many. */
const [gatherMs, apartMs] = [250, 1_000]

/** Loads again what events concern, gathered. */
export function followEvents(): void {
  const waiting = new Map<string, Key>()
  let isWaiting = false
  let flushed = Number.NEGATIVE_INFINITY
  const flush = (): void => {
    isWaiting = false
    flushed = performance.now()
    // A page that nobody looks at counts what waits, and loads the rest once somebody does.
    const keys = [...waiting.values()].filter(([sort]) => !document.hidden || sort === 'inbox')
    for (const each of keys) waiting.delete(each.join(' '))
    changed(...keys)
  }
  const add = (key: Key): void => {
    waiting.set(key.join(' '), key)
    if (isWaiting || (document.hidden && key[0] !== 'inbox')) return
    isWaiting = true
    setTimeout(flush, Math.max(gatherMs, flushed + apartMs - performance.now()))
  }
  onEvent((event) => {
    if (event === 'reset') return void queries.invalidateQueries()
    for (const key of concernsOf(event)) add(key)
  })
  document.addEventListener('visibilitychange', () => {
    if (waiting.size > 0) flush()
  })
}

function concernsOf({ kind, job }: FleetEvent): readonly Key[] {
  const sort = kind.slice(0, kind.indexOf('.'))
  const keys: Key[] = (concerned[sort] ?? []).map((each) => [each])
  if (job !== null) keys.push(['job', job])
  if (kind === 'job.ended') keys.push(['usage'])
  return keys
}

/** Returns the data of an answer, or throws what the server said. */
export function dataOf<Data>({
  data,
  error,
  response,
}: {
  readonly data?: Data
  readonly error?: unknown
  readonly response?: Response
}): Data {
  if (error === undefined && (data !== undefined || response?.status === 204)) return data as Data
  throw new Problem(error)
}

/** What the server, or the lack of one, said. */
export class Problem extends Error {
  readonly code: string | null
  readonly hint: string | null

  constructor(problem: unknown) {
    const { detail, title, hint, code } = (problem ?? {}) as Partial<Record<'detail' | 'title' | 'hint' | 'code', string>>
    super(detail ?? title ?? 'The server does not answer.')
    this.code = code ?? null
    this.hint = hint ?? null
  }
}
