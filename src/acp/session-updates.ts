import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { AgentEvent } from '../adapters/output/agent-events.ts'
import { redact } from '../base/errors.ts'
import { printable } from '../base/text.ts'

/** Returns the update that an editor receives for an event; null if it receives no update. */
export function updateOf(event: AgentEvent): SessionUpdate | null {
  switch (event.type) {
    case 'text':
      return { sessionUpdate: 'agent_message_chunk', content: textOf(`${event.text}\n`) }
    case 'tool-call': {
      const { id, name, input } = event
      const title = printable(redact(name)).slice(0, 200)
      return { sessionUpdate: 'tool_call', toolCallId: id, title, kind: 'other', status: 'in_progress', rawInput: input }
    }
    case 'tool-result': {
      const { id, ok, text } = event
      const content = [{ type: 'content' as const, content: textOf(text) }]
      return { sessionUpdate: 'tool_call_update', toolCallId: id, status: ok ? 'completed' : 'failed', content }
    }
    case 'rate-limit':
      return event.final ? null : { sessionUpdate: 'agent_thought_chunk', content: textOf(`It waits for a rate limit: ${event.message}\n`) }
    default:
      return null
  }
}

function textOf(text: string) {
  return { type: 'text' as const, text: redact(text) }
}
