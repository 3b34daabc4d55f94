import type { components } from '../../../src/client/api.ts'
import { count } from '../../parts/shown-text.ts'

type Kind = components['schemas']['Inbox']['items'][number]['kind']

/** What waits, by kind: one of them, and several. */
const waiting: Readonly<Record<Kind, readonly [one: string, several: string]>> = {
  ask: ['One question is waiting for you.', 'questions are waiting for you.'],
  tool: ['One tool call is waiting for you.', 'tool calls are waiting for you.'],
  egress: ['One connection is waiting for you.', 'connections are waiting for you.'],
  login: ['One agent needs a login.', 'agents need a login.'],
  key: ['One agent needs a key.', 'agents need a key.'],
  budget: ['One budget is used up.', 'budgets are used up.'],
  agent: ['One agent cannot start.', 'agents cannot start.'],
  approval: ['One manifest is waiting for an owner.', 'manifests are waiting for an owner.'],
}

/** Returns what waits in one sentence, by its kind if all items have the same. */
export function waitingText(items: readonly { readonly kind: Kind }[]): string {
  const [first] = items
  if (first === undefined) return 'Nothing is waiting for you.'
  const [one, several] = waiting[first.kind]
  if (items.length === 1) return one
  return `${count(items.length)} ${items.every(({ kind }) => kind === first.kind) ? several : 'things are waiting for you.'}`
}

/** Returns the label of the link to an item: only questions have an answer. */
export const linkOf = ({ kind }: { readonly kind: Kind }): string => (['ask', 'tool', 'egress'].includes(kind) ? 'Answer' : 'Open')
