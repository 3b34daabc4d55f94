import type { AgentEvent } from './agent-events.ts'

/**
 * A pattern for all IDs that the CLIs make, but for no ID that a CLI could read as an option or an index, because IDs come out of a cell.
 */
const plainId = /^(?!\d+$)[A-Za-z0-9][A-Za-z0-9_-]{7,63}$/

export const isConversationId = (text: string): boolean => plainId.test(text)

/** Returns a function that reports the conversation of a run each time it changes. */
export function conversationEvents(): (id: string | null) => readonly AgentEvent[] {
  let last: string | null = null
  return (id) => {
    if (id === null || id === last || !isConversationId(id)) return []
    last = id
    return [{ type: 'conversation', id }]
  }
}
