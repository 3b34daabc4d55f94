import type { AgentParser } from '../adapter.ts'
import type { AgentEvent } from '../output/agent-events.ts'
import { closing } from '../output/closing.ts'
import { conversationEvents } from '../output/conversation.ts'
import { asEndpointError, diagnose } from '../output/diagnosis.ts'
import { reasoningOf } from '../output/joined-text.ts'
import { clip, countIn, type JsonObject, jsonObject, objectIn, textIn } from '../output/output-lines.ts'

/** A pattern for errors of the connection to the model and of its server, as codex writes them in its error events. */
const ofStream = /^(?:stream disconnected|unexpected status 5\d\d|exceeded retry limit, last status: 5\d\d|error sending request)/

/** Parses `codex exec --json`. Its events have no cost and no model, and report limits only as text in `error` and `turn.failed` events. */
export function codexParser(now: () => number = Date.now): AgentParser {
  const started = new Set<string>()
  const conversation = conversationEvents()
  let result = false
  let failure = false
  let reconnecting = false
  let text = ''

  /** Returns the event for a failure. It is an error of the endpoint if the message says so, or if codex was reconnecting. */
  const failed = (message: string, final: boolean): AgentEvent => {
    const diagnosed = diagnose(message, now(), final)
    return reconnecting || ofStream.test(message) ? asEndpointError(diagnosed) : diagnosed
  }

  const item = (line: JsonObject, done: boolean): readonly AgentEvent[] => {
    const it = objectIn(line, 'item')
    const kind = textIn(it, 'type')
    const id = textIn(it, 'id') ?? ''
    if (kind === 'agent_message') {
      if (!done) return []
      text = textIn(it, 'text') ?? ''
      return [{ type: 'text', text }]
    }
    if (kind === 'reasoning') return done ? reasoningOf(textIn(it, 'text')) : []
    if (kind === 'error') return done ? [{ type: 'error', message: clip(textIn(it, 'message') ?? '') }] : []
    const call = callOf(kind, it)
    if (call === null) return []
    const events: AgentEvent[] = started.has(id) ? [] : [{ type: 'tool-call', id, ...call }]
    if (started.size < 100_000) started.add(id)
    if (done) events.push({ type: 'tool-result', id, ok: succeeded(it), text: clip(outcome(it)) })
    return events
  }

  return {
    line(raw) {
      const line = jsonObject(raw)
      if (line === null) return raw.trim() === '' ? [] : [{ type: 'unknown', line: clip(raw) }]
      switch (textIn(line, 'type')) {
        case 'thread.started':
          return conversation(textIn(line, 'thread_id'))
        case 'turn.started':
        case 'item.updated':
          return []
        case 'item.started':
          return item(line, false)
        case 'item.completed':
          reconnecting = false
          return item(line, true)
        case 'turn.completed':
          result = true
          return [usageOf(objectIn(line, 'usage')), { type: 'result', ok: true, text }]
        case 'turn.failed': {
          result = true
          failure = true
          const message = textIn(objectIn(line, 'error'), 'message') ?? 'the turn failed'
          return [failed(message, true), { type: 'result', ok: false, text: clip(message) }]
        }
        case 'error': {
          const message = textIn(line, 'message') ?? raw
          reconnecting ||= /^Reconnecting\.\.\. \d+\/\d+/.test(message)
          return [failed(message, false)]
        }
        default:
          return [{ type: 'unknown', line: clip(raw) }]
      }
    },
    end: (exit) => closing({ result, failure, text }, exit, { needsResult: true, now: now() }),
  }
}

function usageOf(usage: JsonObject): AgentEvent {
  const counted = {
    input: countIn(usage, 'input_tokens'),
    output: countIn(usage, 'output_tokens'),
    cachedInput: countIn(usage, 'cached_input_tokens'),
    model: null,
  }
  return { type: 'usage', usage: counted }
}

function callOf(kind: string | null, item: JsonObject): { readonly name: string; readonly input: unknown } | null {
  switch (kind) {
    case 'command_execution':
      return { name: 'shell', input: { command: textIn(item, 'command') ?? '' } }
    case 'file_change':
      return { name: 'file_change', input: item['changes'] ?? null }
    case 'mcp_tool_call':
      return { name: `${textIn(item, 'server') ?? ''}.${textIn(item, 'tool') ?? ''}`, input: item['arguments'] ?? null }
    case 'web_search':
      return { name: 'web_search', input: { query: textIn(item, 'query') ?? '' } }
    case 'collab_tool_call':
      return { name: textIn(item, 'tool') ?? 'collab', input: { prompt: textIn(item, 'prompt') ?? '' } }
    default:
      return null
  }
}

function succeeded(item: JsonObject): boolean {
  const code = item['exit_code']
  return typeof code === 'number' ? code === 0 : !['failed', 'declined', 'error'].includes(textIn(item, 'status') ?? '')
}

function outcome(item: JsonObject): string {
  const error = textIn(objectIn(item, 'error'), 'message')
  return textIn(item, 'aggregated_output') ?? error ?? (item['result'] == null ? '' : JSON.stringify(item['result']))
}
