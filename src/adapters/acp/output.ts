import type { AgentParser } from '../adapter.ts'
import type { AgentEvent } from '../output/agent-events.ts'
import { closing } from '../output/closing.ts'
import { diagnose } from '../output/diagnosis.ts'
import { JoinedText } from '../output/joined-text.ts'
import { clip, countIn, type JsonObject, jsonObject, textIn, usdIn } from '../output/output-lines.ts'

/** Parses lines of the bridge. Any program in the cell can write such lines, so they are treated as untrusted. */
export function acpParser(now: () => number = Date.now): AgentParser {
  const said = new JoinedText()
  const thoughts = new JoinedText('reasoning')
  let result = false
  let failure = false

  const eventsOf = (line: JsonObject, raw: string): readonly AgentEvent[] => {
    const id = clip(textIn(line, 'id') ?? '')
    switch (textIn(line, 'type')) {
      case 'tool-call':
        return [{ type: 'tool-call', id, name: clip(textIn(line, 'name') ?? ''), input: line['input'] ?? null }]
      case 'tool-result':
        return [{ type: 'tool-result', id, ok: line['ok'] === true, text: clip(textIn(line, 'text') ?? '') }]
      case 'usage': {
        const [input, output, cachedInput] = [countIn(line, 'input'), countIn(line, 'output'), countIn(line, 'cachedInput')]
        return [{ type: 'usage', usage: { input, output, cachedInput, model: null } }]
      }
      case 'cost':
        return [{ type: 'cost', usd: usdIn(line, 'usd') }]
      case 'error': {
        failure = true
        const message = clip(textIn(line, 'message') ?? '')
        return [line['login'] === true ? { type: 'login-needed', message } : diagnose(message, now(), true)]
      }
      case 'result':
        result = true
        return [{ type: 'result', ok: line['ok'] === true, text: said.last }]
      default:
        return [{ type: 'unknown', line: clip(raw) }]
    }
  }

  return {
    line(raw) {
      const line = jsonObject(raw)
      const flushed = () => [...thoughts.flush(), ...said.flush()]
      if (line === null) return raw.trim() === '' ? [] : [...flushed(), { type: 'unknown', line: clip(raw) }]
      const text = textIn(line, 'text') ?? ''
      switch (textIn(line, 'type')) {
        case 'delta':
          return [...thoughts.flush(), ...said.add(text)]
        case 'thought':
          return [...said.flush(), ...thoughts.add(text)]
        default:
          return [...flushed(), ...eventsOf(line, raw)]
      }
    },
    end: (exit) => [
      ...thoughts.flush(),
      ...said.flush(),
      ...closing({ result, failure, text: said.last }, exit, { needsResult: true, now: now() }),
    ],
  }
}
