import type { AgentParser } from './adapter.ts'
import type { AgentEvent } from './events.ts'
import { clip, lastLine } from './output.ts'

/** Any program: every line is a text, and the exit code is the result. Nothing that it prints is read as a limit or a login. */
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
      const reason: AgentEvent = {
        type: 'error',
        message: lastLine(stderr) || (code === null ? 'It was ended.' : `It ended with exit code ${code}.`),
      }
      return [...(ok ? [] : [reason]), { type: 'result', ok, text }]
    },
  }
}
