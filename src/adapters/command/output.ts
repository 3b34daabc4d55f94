import type { AgentParser } from '../adapter.ts'
import type { AgentEvent } from '../output/agent-events.ts'
import { clip } from '../output/output-lines.ts'
import { reasonLine } from '../output/reason-line.ts'

/** Parses the output of any program. Every line is text, and the exit code is the result. No text is read as a limit or a login. */
export function commandParser(): AgentParser {
  let text = ''
  return {
    line(raw) {
      if (raw.trim() === '') return []
      text = clip(raw)
      return [{ type: 'text', text }]
    },
    end({ code, stderr }) {
      const ok = code === 0
      const reason = reasonLine(stderr)
      const events: AgentEvent[] = ok || reason === '' ? [] : [{ type: 'error', message: reason }]
      return [...events, { type: 'result', ok, text }]
    },
  }
}
