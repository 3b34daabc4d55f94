import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { operations } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'

export type AuditLine = operations['readAudit']['responses']['200']['content']['application/json']['items'][number]

const page = 100
const names = ['kind', 'agent', 'actor', 'cell', 'host', 'from'] as const

/** Returns the query in the URL. */
export function useQuery(): { readonly key: string; readonly query: Readonly<Record<string, string>> } {
  const [search] = useSearchParams()
  const key = names.map((each) => search.get(each) ?? '').join('\n')
  return useMemo(() => {
    const values = key.split('\n')
    return { key, query: Object.fromEntries(names.flatMap((each, n) => (values[n] === '' ? [] : [[each, values[n] ?? '']]))) }
  }, [key])
}

/** Returns the lines for the query in the URL, newest first. */
export function useLines() {
  const { key, query } = useQuery()
  const begun = useData(['audit', 'lines', key], async () =>
    dataOf(await api.GET('/api/v1/audit', { params: { query: { ...query, limit: page } } })),
  )
  const [older, setOlder] = useState<readonly AuditLine[]>([])
  const [isEnd, setEnd] = useState(false)
  useEffect(() => {
    setOlder([])
    setEnd(begun.data !== null && begun.data.items.length < page)
  }, [begun.data])
  const first = older[0] ?? begun.data?.items[0]
  const loadOlder = useAct(async () => {
    const before = first?.seq ?? 1
    const { items } = dataOf(await api.GET('/api/v1/audit', { params: { query: { ...query, before, limit: page } } }))
    setOlder((known) => [...items, ...known])
    setEnd(items.length < page)
  })
  const newest = begun.data?.newest ?? 0
  const coming = useData(
    ['audit', 'coming', key, newest],
    async () => dataOf(await api.GET('/api/v1/audit', { params: { query: { ...query, after: newest, limit: 1_000 } } })).items.length,
    { wanted: begun.data !== null, everyMs: 5_000 },
  )
  const items = begun.data?.items ?? null
  return {
    lines: useMemo(() => (items === null ? null : [...older, ...items].reverse()), [older, items]),
    isEnd,
    loadOlder,
    coming: coming.data ?? 0,
    begun,
    isFiltered: key.trim() !== '',
  }
}
