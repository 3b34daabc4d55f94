import { QueryClient, useQuery } from '@tanstack/react-query'
import { type FleetEvent, onEvent } from './live.ts'

/** The cache of loaded data. Data is kept until an event, or the end of a gap, indicates that it may have changed. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Number.POSITIVE_INFINITY, gcTime: 300_000, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** Loaded data, and the error of the last attempt; both are null while the data is loading for the first time. */
export interface Loaded<Data> {
  readonly data: Data | null
  readonly problem: string | null
  /** Whether the server answered that what was asked for does not exist. */
  readonly isMissing: boolean
  /** The time when the data was loaded, in milliseconds since 1970; 0 before that. */
  readonly at: number
  readonly again: () => void
}

/** A key that identifies loaded data. Its first element is the sort of data, which events refer to. */
export type Key = readonly [sort: string, ...more: readonly (string | number | boolean | null)[]]

export interface DataOptions {
  /** Whether to load the data. */
  readonly wanted?: boolean
  /** Milliseconds after which the data is reloaded without an event. */
  readonly everyMs?: number
}

export function useData<Data>(key: Key, load: () => Promise<Data>, { wanted = true, everyMs }: DataOptions = {}): Loaded<Data> {
  const found = useQuery({ queryKey: key, queryFn: load, enabled: wanted, ...(everyMs === undefined ? {} : { refetchInterval: everyMs }) })
  return {
    data: found.data ?? null,
    problem: found.error === null ? null : found.error.message,
    isMissing: found.error instanceof Problem && found.error.code === 'NOT_FOUND',
    at: found.dataUpdatedAt,
    again: () => void found.refetch(),
  }
}

/** Reloads shown data of these sorts, or with this key. */
export function changed(...keys: readonly Key[]): void {
  for (const key of keys) void queries.invalidateQueries({ queryKey: key })
}

/** The sorts of data that an event affects, by the first part of its kind. */
const concerned: Readonly<Record<string, readonly string[]>> = {
  fleet: ['server', 'agents', 'agent', 'schedules', 'hooks', 'webhooks', 'discord'],
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
/** Milliseconds in which events are gathered, and the least time between two reloads while there are many events. */
const [gatherMs, apartMs] = [250, 1_500]

/** Returns a function that calls `act` soon after the first event, and less often while there are many. `stop` drops a pending call. */
export function gathering(act: () => void): { readonly soon: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let acted = Number.NEGATIVE_INFINITY
  const now = (): void => {
    timer = undefined
    acted = performance.now()
    act()
  }
  return {
    soon: () => {
      timer ??= setTimeout(now, Math.max(gatherMs, acted + apartMs - performance.now()))
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** Reloads the data that events affect. */
export function followEvents(): void {
  const waiting = new Map<string, Key>()
  const flush = (): void => {
    // A hidden page only updates the inbox, and reloads the rest once it is visible.
    const keys = [...waiting.values()].filter(([sort]) => !document.hidden || sort === 'inbox')
    for (const each of keys) waiting.delete(each.join(' '))
    changed(...keys)
  }
  const { soon } = gathering(flush)
  const add = (key: Key): void => {
    waiting.set(key.join(' '), key)
    if (!document.hidden || key[0] === 'inbox') soon()
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

/** Returns the data of a response, or throws the server's error. */
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

/** An error of the server, or the lack of a response. */
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
