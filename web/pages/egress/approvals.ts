import type { components } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../session.ts'

export type Approvals = components['schemas']['Approvals']
export type Question = Approvals['open'][number]

/** What is held, and what was answered for always. No event says that a cell outside of the fleet asks. */
export function useApprovals() {
  return useData(['inbox', 'approvals'], async () => dataOf(await api.GET('/api/v1/approvals')), { everyMs: 2_000 })
}

/** What a question is about, whole. */
export function wish({ host, port, request }: Pick<Question, 'host' | 'port' | 'request'>): string {
  return request === null ? `${host}:${port}` : `${request.method} ${host}:${port}${request.path}${request.queryShown ?? ''}`
}
