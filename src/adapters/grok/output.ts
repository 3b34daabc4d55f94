import type { AgentParser } from '../adapter.ts'
import type { AgentEvent, TokenUsage } from '../output/agent-events.ts'
import { closing } from '../output/closing.ts'
import { diagnose } from '../output/diagnosis.ts'
import { JoinedText } from '../output/joined-text.ts'
import { clip, countIn, type JsonObject, jsonObject, objectIn, textIn, usdIn } from '../output/output-lines.ts'

const goodStops = new Set(['endturn', 'end_turn', 'stop', 'completed'])
/** Parses `grok --output-format streaming-json`, as documented: text deltas, tool calls, `usage` for each model call, totals in `end`. */
export function grokParser(now: () => number = Date.now): AgentParser {
  const joined = new JoinedText()
  const thoughts = new JoinedText('reasoning')
  let running: TokenUsage = { input: 0, output: 0, cachedInput: 0, model: null }
  let result = false
  let failure = false

  const ended = (line: JsonObject): readonly AgentEvent[] => {
    result = true
    const stop = textIn(line, 'stopReason') ?? ''
    const ok = !failure && goodStops.has(stop.toLowerCase())
    const model = Object.keys(objectIn(line, 'modelUsage'))[0] ?? null
    const counted = usageOf(objectIn(line, 'usage'))
    const events: AgentEvent[] = [{ type: 'usage', usage: { ...(counted.input > 0 ? counted : running), model } }]
    if (typeof line['total_cost_usd'] === 'number') events.push({ type: 'cost', usd: usdIn(line, 'total_cost_usd') })
    if (!ok && !failure) events.push({ type: 'error', message: `it stopped early: ${stop || 'no reason'}` })
    failure ||= !ok
    return [...events, { type: 'result', ok, text: joined.last }]
  }

  const other = (line: JsonObject, raw: string): readonly AgentEvent[] => {
    const id = textIn(line, 'toolCallId') ?? ''
    switch (textIn(line, 'type')) {
      case 'tool_call':
        return [{ type: 'tool-call', id, name: textIn(line, 'toolName') ?? textIn(line, 'title') ?? '', input: line['rawInput'] ?? null }]
      case 'tool_call_update': {
        const status = textIn(line, 'status')
        if (status !== 'completed' && status !== 'failed') return []
        const output = line['rawOutput']
        const said = typeof output === 'string' ? output : output == null ? '' : JSON.stringify(output)
        return [{ type: 'tool-result', id, ok: status === 'completed', text: clip(said) }]
      }
      case 'usage': {
        const more = usageOf(objectIn(line, 'usage'))
        running = {
          input: running.input + more.input,
          output: running.output + more.output,
          cachedInput: running.cachedInput + more.cachedInput,
          model: null,
        }
        return [{ type: 'usage', usage: running }]
      }
      case 'max_turns_reached':
        failure = true
        return [{ type: 'error', message: 'grok reached its turn limit' }]
      case 'error':
        failure = true
        return [diagnose(textIn(line, 'message') ?? raw, now(), true)]
      case 'end':
        return ended(line)
      default:
        return [{ type: 'unknown', line: clip(raw) }]
    }
  }

  return {
    line(raw) {
      const line = jsonObject(raw)
      const flushed = () => [...thoughts.flush(), ...joined.flush()]
      if (line === null) return raw.trim() === '' ? [] : [...flushed(), { type: 'unknown', line: clip(raw) }]
      const data = textIn(line, 'data') ?? ''
      switch (textIn(line, 'type')) {
        case 'text':
          return [...thoughts.flush(), ...joined.add(data)]
        case 'thought':
          return [...joined.flush(), ...thoughts.add(data)]
        default:
          return [...flushed(), ...other(line, raw)]
      }
    },
    end: (exit) => [
      ...thoughts.flush(),
      ...joined.flush(),
      ...closing({ result, failure, text: joined.last }, exit, { needsResult: true, now: now() }),
    ],
  }
}

function usageOf(usage: JsonObject): TokenUsage {
  const cachedInput = countIn(usage, 'cache_read_input_tokens')
  return {
    input: countIn(usage, 'input_tokens') + cachedInput + countIn(usage, 'cache_creation_input_tokens'),
    output: countIn(usage, 'output_tokens') + countIn(usage, 'reasoning_tokens'),
    cachedInput,
    model: null,
  }
}
