import { changed, dataOf } from '../../data.ts'
import type { Item } from '../../inbox.ts'
import { api } from '../../session.ts'

export type Scope = 'once' | 'cell' | 'always'

/** One answer, as it is sent. */
export interface Answer {
  readonly allowed: boolean
  /** Of a held connection: how far the answer reaches. */
  readonly scope: Scope
  readonly text: string
}

/** Sends an answer. @throws Error that says what the server said, such as who was faster */
export async function answer(item: Item, { allowed, scope, text }: Answer): Promise<void> {
  if (item.kind === 'egress')
    dataOf(await api.POST('/api/v1/approvals/{approval}/answer', { params: { path: { approval: item.id } }, body: { allowed, scope } }))
  else dataOf(await api.POST('/api/v1/inbox/{id}/answer', { params: { path: { id: item.id } }, body: { allowed, text } }))
  changed(['inbox'])
}

/** What this page answered, newest first; other pages show theirs. */
export interface Answered {
  readonly item: Item
  readonly word: string
  readonly at: string
}
