import type { AgentParser } from '../adapter.ts'
import type { AgentEvent } from '../output/agent-events.ts'
import { closing } from '../output/closing.ts'
import { conversationEvents } from '../output/conversation.ts'
import { diagnose, diagnoseStatus } from '../output/diagnosis.ts'
import { JoinedText } from '../output/joined-text.ts'
import { clip, countIn, type JsonObject, jsonObject, objectIn, textIn } from '../output/output-lines.ts'

/**
 * The meanings of the CLI's own exit codes, and of those that are the HTTP status of the failed request modulo 256 (401 → 145, 403 → 147,
 * 429 → 173).
 */
const exitMeanings: Readonly<Record<number, AgentEvent>> = {
  41: { type: 'login-needed', message: 'gemini has no usable login (exit code 41)' },
  42: { type: 'error', message: 'gemini refused its input (exit code 42)' },
  44: { type: 'error', message: 'gemini could not start its own sandbox (exit code 44)' },
  52: { type: 'error', message: 'gemini found an error in its configuration (exit code 52)' },
  53: { type: 'error', message: 'gemini reached its turn limit (exit code 53)' },
  54: { type: 'error', message: 'a tool of gemini failed permanently (exit code 54)' },
  55: { type: 'error', message: 'gemini does not trust its working directory (exit code 55)' },
  145: { type: 'login-needed', message: 'the API refused the login of gemini (HTTP 401)' },
  147: { type: 'login-needed', message: 'the API refused the login of gemini (HTTP 403)' },
  244: { type: 'error', message: 'the API of gemini failed (HTTP 500)', endpoint: true },
  246: { type: 'error', message: 'the API of gemini failed (HTTP 502)', endpoint: true },
  247: { type: 'error', message: 'the API of gemini failed (HTTP 503)', endpoint: true },
  248: { type: 'error', message: 'the API of gemini failed (HTTP 504)', endpoint: true },
  173: { type: 'rate-limit', message: 'the API refused gemini for now (HTTP 429)', resetsAt: null, final: true },
}

/** The HTTP statuses behind the exit codes for refusals, which the message of the result may not show. */
const refusals: Readonly<Record<number, number>> = { 145: 401, 147: 403, 173: 429 }

/** Parses `gemini -o stream-json`. Its answers come in deltas, which are joined until a different event comes. */
export function geminiParser(now: () => number = Date.now): AgentParser {
  const joined = new JoinedText()
  const conversation = conversationEvents()
  let model: string | null = null
  let result = false
  let failure = false
  let said = ''

  const ended = (line: JsonObject): readonly AgentEvent[] => {
    result = true
    const events: AgentEvent[] = [{ type: 'usage', usage: usageOf(objectIn(line, 'stats'), model) }]
    if (textIn(line, 'status') === 'success') return [...events, { type: 'result', ok: true, text: joined.last }]
    const message = textIn(objectIn(line, 'error'), 'message') ?? 'it failed without a reason'
    failure = true
    said = message
    return [...events, diagnoseResult(message, now()), { type: 'result', ok: false, text: clip(message) }]
  }

  const other = (line: JsonObject, raw: string): readonly AgentEvent[] => {
    switch (textIn(line, 'type')) {
      case 'init':
        model = textIn(line, 'model') ?? model
        return conversation(textIn(line, 'session_id'))
      case 'message':
        return []
      case 'tool_use': {
        const call = { id: textIn(line, 'tool_id') ?? '', name: textIn(line, 'tool_name') ?? '', input: line['parameters'] ?? null }
        return [{ type: 'tool-call', ...call }]
      }
      case 'tool_result': {
        const said = textIn(line, 'output') ?? textIn(objectIn(line, 'error'), 'message') ?? ''
        return [{ type: 'tool-result', id: textIn(line, 'tool_id') ?? '', ok: textIn(line, 'status') === 'success', text: clip(said) }]
      }
      case 'error':
        return [diagnose(textIn(line, 'message') ?? raw, now(), false)]
      case 'result':
        return ended(line)
      default:
        return [{ type: 'unknown', line: clip(raw) }]
    }
  }

  const options = () => ({ needsResult: true, now: now(), byCode: exitMeanings, logged: (stderr: string) => logged(stderr, now()) })

  return {
    line(raw) {
      const line = jsonObject(raw)
      if (line === null) return raw.trim() === '' ? [] : [...joined.flush(), { type: 'unknown', line: clip(raw) }]
      if (textIn(line, 'type') === 'message' && textIn(line, 'role') === 'assistant') {
        const full = joined.add(textIn(line, 'content') ?? '')
        return line['delta'] === true ? full : [...full, ...joined.flush()]
      }
      return [...joined.flush(), ...other(line, raw)]
    },
    end(exit) {
      const status = said === '' ? undefined : refusals[exit.code ?? 0]
      const refused = status === undefined ? [] : [diagnoseStatus(status, said, now(), true)]
      return [...joined.flush(), ...refused, ...closing({ result, failure, text: joined.last }, exit, options())]
    },
  }
}

/** Explains a failed result. The CLI marks errors of the API with `[API Error: …]`, which contains the API's JSON if the API sent any. */
function diagnoseResult(message: string, now: number): AgentEvent {
  if (!message.startsWith('[API Error:')) return diagnose(message, now, true)
  return diagnoseStatus(Number(/"code":\s*(\d{3})\b/.exec(message)?.[1] ?? 0), message, now, true)
}

/** Returns the newest entry of the CLI's log of retries. */
function logged(stderr: string, now: number): AgentEvent | null {
  const last = [...stderr.slice(-65_536).matchAll(/^(?:Attempt \d+ failed(?: with status (\d{3}))?\.|.*\bRetrying after \d+ms).*$/gm)].at(
    -1,
  )
  return last === undefined ? null : diagnoseStatus(Number(last[1] ?? 0), last[0].slice(0, 1_000), now, true)
}

function usageOf(stats: JsonObject, asked: string | null): TokenUsageOf {
  const models = objectIn(stats, 'models')
  const wrote = (name: string): number => countIn(objectIn(models, name), 'output_tokens')
  const busiest = Object.keys(models).sort((one, other) => wrote(other) - wrote(one))[0]
  return {
    input: countIn(stats, 'input_tokens'),
    output: Math.max(countIn(stats, 'output_tokens'), countIn(stats, 'total_tokens') - countIn(stats, 'input_tokens')),
    cachedInput: countIn(stats, 'cached'),
    model: busiest ?? asked,
  }
}

type TokenUsageOf = Extract<AgentEvent, { type: 'usage' }>['usage']
