import type { components } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'

export type Approvals = components['schemas']['Approvals']
export type Question = Approvals['open'][number]

/** Returns held connections and remembered answers. They are polled, because questions of cells outside the fleet cause no event. */
export function useApprovals() {
  return useData(['inbox', 'approvals'], async () => dataOf(await api.GET('/api/v1/approvals')), { everyMs: 2_000 })
}

/** Returns the full subject of a question. */
export function wish({ host, port, request }: Pick<Question, 'host' | 'port' | 'request'>): string {
  return request === null ? `${host}:${port}` : `${request.method} ${host}:${port}${request.path}${request.queryShown ?? ''}`
}
