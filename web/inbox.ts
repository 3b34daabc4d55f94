import type { components } from '../src/client/api.ts'
import { dataOf, type Loaded, useData } from './data.ts'
import { api } from './session.ts'

export type Item = components['schemas']['Inbox']['items'][number]

/** What waits for a human, as every page counts it. */
export function useInbox(): Loaded<readonly Item[]> {
  return useData(['inbox'], async () => dataOf(await api.GET('/api/v1/inbox')).items)
}
