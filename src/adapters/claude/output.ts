import type { AgentParser } from '../adapter.ts'
import type { AgentEvent, TokenUsage } from '../output/agent-events.ts'
import { closing } from '../output/closing.ts'
import { conversationEvents } from '../output/conversation.ts'
import { diagnose, diagnoseStatus } from '../output/diagnosis.ts'
import { reasoningOf } from '../output/joined-text.ts'
import { clip, countIn, type JsonObject, jsonObject, objectIn, objectsIn, textIn, usdIn } from '../output/output-lines.ts'

/**
 * Parses `claude -p --output-format stream-json`. The final count is `modelUsage` of the result line. Before it, a running lower bound
 * comes from the messages, of which several lines share one ID.
 */
export function claudeParser(now: () => number = Date.now): AgentParser {
  const perMessage = new Map<string, TokenUsage>()
  const conversation = conversationEvents()
  let resetsAt: number | null = null
  let failureKind: string | null = null
  let result = false
  let failure = false
  let text = ''

  const assistant = (line: JsonObject): readonly AgentEvent[] => {
    const message = objectIn(line, 'message')
    if (line['is_api_error_message'] === true || textIn(message, 'model') === '<synthetic>') {
      failureKind = textIn(line, 'error') ?? failureKind
      return []
    }
    const events = objectsIn(message, 'content').flatMap((block): AgentEvent[] => {
      const kind = textIn(block, 'type')
      if (kind === 'tool_use') {
        return [{ type: 'tool-call', id: textIn(block, 'id') ?? '', name: textIn(block, 'name') ?? '', input: block['input'] ?? null }]
      }
      if (kind === 'thinking') return reasoningOf(textIn(block, 'thinking'))
      const said = kind === 'text' ? (textIn(block, 'text') ?? '') : ''
      if (said !== '' && line['parent_tool_use_id'] == null) text = said
      return said === '' ? [] : [{ type: 'text', text: said }]
    })
    const counted = messageUsage(message)
    const id = textIn(message, 'id')
    if (id === null || counted === null || perMessage.size > 10_000) return events
    perMessage.set(id, counted)
    return [...events, { type: 'usage', usage: sum([...perMessage.values()]), isLowerBound: true }]
  }

  const ended = (line: JsonObject): readonly AgentEvent[] => {
    const ok = line['is_error'] !== true && textIn(line, 'subtype') === 'success'
    const said = textIn(line, 'result') ?? (ok ? text : (textIn(line, 'subtype') ?? ''))
    const events: AgentEvent[] = []
    const usage = modelUsage(objectIn(line, 'modelUsage'))
    if (usage) events.push({ type: 'usage', usage })
    if (typeof line['total_cost_usd'] === 'number') events.push({ type: 'cost', usd: usdIn(line, 'total_cost_usd') })
    if (!ok) {
      const status = statusOf(line, failureKind)
      const ofApi = failureKind !== null || textIn(line, 'terminal_reason') === 'api_error'
      const reason = ofApi || status > 0 ? diagnoseStatus(status, said, now(), true) : diagnose(said, now(), true)
      events.push(reason.type === 'rate-limit' ? { ...reason, resetsAt: reason.resetsAt ?? resetsAt } : reason)
      failure = true
    }
    result = true
    return [...events, { type: 'result', ok, text: said }]
  }

  return {
    line(raw) {
      const line = jsonObject(raw)
      if (line === null) return raw.trim() === '' ? [] : [{ type: 'unknown', line: clip(raw) }]
      switch (textIn(line, 'type')) {
        case 'assistant':
          return assistant(line)
        case 'user':
          return objectsIn(objectIn(line, 'message'), 'content').flatMap(toolResult)
        case 'result':
          return ended(line)
        case 'system':
          if (textIn(line, 'subtype') === 'init') return conversation(textIn(line, 'session_id'))
          return textIn(line, 'subtype') === 'api_retry' ? [retry(line, now())] : []
        case 'rate_limit_event': {
          const limit = rateLimit(objectIn(line, 'rate_limit_info'))
          resetsAt = limit?.resetsAt ?? resetsAt
          return limit ? [limit] : []
        }
        default:
          return [{ type: 'unknown', line: clip(raw) }]
      }
    },
    end: (exit) => closing({ result, failure, text }, exit, { needsResult: true, now: now() }),
  }
}

function toolResult(block: JsonObject): AgentEvent[] {
  if (textIn(block, 'type') !== 'tool_result') return []
  const parts = objectsIn(block, 'content').map((part) => textIn(part, 'text') ?? '')
  const text = textIn(block, 'content') ?? parts.join('\n')
  return [{ type: 'tool-result', id: textIn(block, 'tool_use_id') ?? '', ok: block['is_error'] !== true, text: clip(text) }]
}

/** Returns the event for an attempt that the CLI will repeat by itself. */
function retry(line: JsonObject, now: number): AgentEvent {
  const status = countIn(line, 'error_status')
  const message = `try ${countIn(line, 'attempt')} of ${countIn(line, 'max_retries')}: ${textIn(line, 'error') ?? 'unknown'} (${status || 'no answer'})`
  // `retry_delay_ms` is the CLI's own pause. Only the API knows when the limit ends.
  if (status === 429) return { type: 'rate-limit', message, resetsAt: null, final: false }
  return diagnoseStatus(status, message, now, false)
}

function rateLimit(info: JsonObject): Extract<AgentEvent, { type: 'rate-limit' }> | null {
  if (textIn(info, 'status') !== 'rejected') return null
  const seconds = countIn(info, 'resetsAt')
  const message = `the ${(textIn(info, 'rateLimitType') ?? 'usage').replaceAll('_', ' ')} limit is reached`
  return { type: 'rate-limit', message, resetsAt: seconds > 0 ? seconds * 1000 : null, final: false }
}

function statusOf(line: JsonObject, kind: string | null): number {
  if (kind === 'rate_limit') return 429
  if (kind === 'authentication_failed') return 401
  return countIn(line, 'api_error_status')
}

function messageUsage(message: JsonObject): TokenUsage | null {
  const usage = objectIn(message, 'usage')
  if (Object.keys(usage).length === 0) return null
  const cachedInput = countIn(usage, 'cache_read_input_tokens')
  const input = countIn(usage, 'input_tokens') + cachedInput + countIn(usage, 'cache_creation_input_tokens')
  return { input, output: countIn(usage, 'output_tokens'), cachedInput, model: textIn(message, 'model') }
}

function modelUsage(perModel: JsonObject): TokenUsage | null {
  const usages = Object.keys(perModel).map((model): TokenUsage => {
    const usage = objectIn(perModel, model)
    const cachedInput = countIn(usage, 'cacheReadInputTokens')
    const input = countIn(usage, 'inputTokens') + cachedInput + countIn(usage, 'cacheCreationInputTokens')
    return { input, output: countIn(usage, 'outputTokens'), cachedInput, model }
  })
  return usages.length === 0 ? null : sum(usages)
}

/** Returns the sum, with the model that wrote the most tokens. */
function sum(usages: readonly TokenUsage[]): TokenUsage {
  const total = (count: (usage: TokenUsage) => number): number => usages.reduce((so, usage) => so + count(usage), 0)
  const most = usages.reduce<TokenUsage | null>((best, usage) => (best === null || usage.output > best.output ? usage : best), null)
  return {
    input: total((usage) => usage.input),
    output: total((usage) => usage.output),
    cachedInput: total((usage) => usage.cachedInput),
    model: most?.model ?? null,
  }
}
