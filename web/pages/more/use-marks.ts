import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useMay } from '../../who.ts'

/** Returns the problem marks of places, by their names: `1 EXPIRED`. */
export function useMarks(): Readonly<Record<string, string>> {
  const credentials =
    useData(['credentials'], async () => dataOf(await api.GET('/api/v1/credentials')).items, { wanted: useMay('operator') }).data ?? []
  const seen = useData(['guarantees'], async () => dataOf(await api.GET('/api/v1/guarantees'))).data?.result?.guarantees ?? []
  const expired = credentials.filter(({ state }) => state === 'ended' || state === 'unusable').length
  const failing = seen.filter(({ status }) => status === 'broken').length
  return {
    ...(expired === 0 ? {} : { credentials: `${expired} EXPIRED` }),
    ...(failing === 0 ? {} : { guarantees: failing === 1 ? '1 FAILS' : `${failing} FAIL` }),
  }
}
