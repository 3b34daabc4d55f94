import type { components } from '../src/client/api.ts'
import { dataOf, type Loaded, useData } from './data.ts'
import { api } from './page-session.ts'

export type Item = components['schemas']['Inbox']['items'][number]

/** Returns the items that wait for a human, for the counts on all pages. */
export function useInbox(): Loaded<readonly Item[]> {
  return useData(['inbox'], async () => dataOf(await api.GET('/api/v1/inbox')).items)
}
