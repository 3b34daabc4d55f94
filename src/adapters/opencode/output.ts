import type { AgentParser } from '../adapter.ts'
import type { AgentEvent } from '../output/agent-events.ts'
import { closing } from '../output/closing.ts'
import { conversationEvents } from '../output/conversation.ts'
import { asEndpointError, diagnose, diagnoseStatus } from '../output/diagnosis.ts'
import { reasoningOf } from '../output/joined-text.ts'
import { clip, countIn, type JsonObject, jsonObject, objectIn, textIn, usdIn } from '../output/output-lines.ts'

/**
 * Parses `opencode run --format json`. The output has no line for the result, so the exit code and earlier errors decide. The CLI retries
 * refused requests silently, so only standard error explains a run that was ended because of its silence.
 */
export function opencodeParser(now: () => number = Date.now): AgentParser {
  let input = 0
  let output = 0
  let cachedInput = 0
  let usd = 0
  let text = ''
  let failure = false
  const conversation = conversationEvents()

  const stepFinish = (part: JsonObject): readonly AgentEvent[] => {
    const tokens = objectIn(part, 'tokens')
    const cache = objectIn(tokens, 'cache')
    input += countIn(tokens, 'input') + countIn(cache, 'read') + countIn(cache, 'write')
    output += countIn(tokens, 'output') + countIn(tokens, 'reasoning')
    cachedInput += countIn(cache, 'read')
    usd += usdIn(part, 'cost')
    const usage: AgentEvent = { type: 'usage', usage: { input, output, cachedInput, model: null } }
    // The CLI uses the reason `unknown` for an empty answer. It asks again, without a limit.
    const empty = textIn(part, 'reason') === 'unknown' && countIn(tokens, 'output') === 0
    const events: AgentEvent[] = empty
      ? [usage, { type: 'error', message: 'the answer of the model was empty or could not be read', endpoint: true }]
      : [usage]
    return usd > 0 ? [...events, { type: 'cost', usd }] : events
  }

  const eventsOf = (line: JsonObject, raw: string): readonly AgentEvent[] => {
    const part = objectIn(line, 'part')
    switch (textIn(line, 'type')) {
      case 'step_start':
        return []
      case 'reasoning':
        return reasoningOf(textIn(part, 'text'))
      case 'text':
        text = textIn(part, 'text') ?? ''
        return [{ type: 'text', text }]
      case 'tool_use':
        return toolUse(part)
      case 'step_finish':
        return stepFinish(part)
      case 'error':
        failure = true
        return [errorOf(objectIn(line, 'error'), now())]
      default:
        return [{ type: 'unknown', line: clip(raw) }]
    }
  }

  return {
    line(raw) {
      const line = jsonObject(raw)
      if (line === null) return raw.trim() === '' ? [] : [{ type: 'unknown', line: clip(raw) }]
      return [...conversation(textIn(line, 'sessionID')), ...eventsOf(line, raw)]
    },
    end: ({ code, stderr }) =>
      closing({ result: false, failure, text }, { code, stderr }, { needsResult: false, now: now(), logged: (log) => logged(log, now()) }),
  }
}

/** Returns the newest message in the CLI's log on standard error (`error.error="…"`). A prefix of the message marks errors of the API. */
function logged(stderr: string, now: number): AgentEvent | null {
  const found = [...stderr.slice(-65_536).matchAll(/\berror(?:\.error)?="((?:[^"\\]|\\.){1,2000})/g)].at(-1)
  const message = found?.[1]?.replace(/\\(.)/g, '$1')
  if (message === undefined) return null
  const diagnosed = diagnose(message, now, true)
  return /^AI_(?:APICall|Retry|EmptyResponseBody|JSONParse|TypeValidation)Error:/.test(message) ? asEndpointError(diagnosed) : diagnosed
}

function toolUse(part: JsonObject): readonly AgentEvent[] {
  const id = textIn(part, 'callID') ?? ''
  const state = objectIn(part, 'state')
  const said = textIn(state, 'output') ?? textIn(state, 'error') ?? ''
  const code = objectIn(state, 'metadata')['exit']
  const ok = textIn(state, 'status') === 'completed' && (typeof code !== 'number' || code === 0)
  return [
    { type: 'tool-call', id, name: textIn(part, 'tool') ?? '', input: state['input'] ?? null },
    { type: 'tool-result', id, ok, text: clip(said) },
  ]
}

function errorOf(error: JsonObject, now: number): AgentEvent {
  const data = objectIn(error, 'data')
  const name = textIn(error, 'name') ?? 'error'
  const message = clip(textIn(data, 'message') ?? name)
  if (name === 'ProviderAuthError') return { type: 'login-needed', message }
  const status = countIn(data, 'statusCode')
  return name === 'APIError' || status > 0 ? diagnoseStatus(status, message, now, true) : diagnose(message, now, true)
}
