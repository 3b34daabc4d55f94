import { changed, dataOf } from '../../data.ts'
import type { Item } from '../../inbox.ts'
import { api } from '../../page-session.ts'

export type Scope = 'once' | 'cell' | 'always'

/** One answer to send. */
export interface Answer {
  readonly allowed: boolean
  /** The scope of the answer, for a held connection. */
  readonly scope: Scope
  readonly text: string
}

/** Sends an answer. @throws Error with the server's message, such as the name of a person who was faster */
export async function answer(item: Item, { allowed, scope, text }: Answer): Promise<void> {
  if (item.kind === 'egress')
    dataOf(await api.POST('/api/v1/approvals/{approval}/answer', { params: { path: { approval: item.id } }, body: { allowed, scope } }))
  else dataOf(await api.POST('/api/v1/inbox/{id}/answer', { params: { path: { id: item.id } }, body: { allowed, text } }))
  changed(['inbox'])
}

/** An answer that was sent from this page. */
export interface Answered {
  readonly item: Item
  readonly word: string
  readonly at: string
}
