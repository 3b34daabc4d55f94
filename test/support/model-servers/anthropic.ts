import type { Dialect, Exchange } from './dialect.ts'
import { field, type Json, list, text, texts } from './json.ts'
import { eventStream, pieces, sendJson } from './wire.ts'

/** The Messages API, as used by the claude CLI and opencode's anthropic provider. */
export const anthropic: Dialect = {
  name: 'anthropic',
  speaks: (path) => /\/messages$/.test(path),
  aside(method, path, asked) {
    if (path.endsWith('/messages/count_tokens')) return { input_tokens: Math.ceil(JSON.stringify(asked ?? '').length / 4) }
    if (method === 'HEAD' || path === '/') return {}
    return null
  },
  read(_path, asked) {
    const messages = list(field(asked, 'messages'))
    const of = (role: string): readonly Json[] => messages.filter((message) => field(message, 'role') === role)
    const results = of('user').flatMap((message) => blocks(message, 'tool_result'))
    return {
      dialect: 'anthropic',
      model: text(field(asked, 'model')),
      system: texts(field(asked, 'system')),
      userTexts: of('user')
        .map((message) => texts(field(message, 'content')))
        .filter((each) => each !== ''),
      said: of('assistant')
        .map((message) => texts(field(message, 'content')))
        .filter((each) => each !== ''),
      toolResults: results.map((block) => texts(field(block, 'content'))),
      tools: list(field(asked, 'tools')).map((tool) => text(field(tool, 'name'))),
    }
  },
  tools: (asked) => list(field(asked, 'tools')).map((tool) => ({ name: text(field(tool, 'name')), schema: field(tool, 'input_schema') })),
  wished(asked) {
    return field(field(field(asked, 'output_config'), 'format'), 'type') === 'json_schema'
      ? JSON.stringify({ title: 'A short title' })
      : null
  },
  answer(exchange, response) {
    if (field(exchange.asked, 'stream') !== true) {
      sendJson(response, 200, {
        ...opening(exchange),
        content: [block(exchange)],
        stop_reason: stopReason(exchange),
        usage: usage(exchange),
      })
      return
    }
    const send = eventStream(response)
    const event = (type: string, data: object): void => send(type, { type, ...data })
    const { turn } = exchange
    event('message_start', { message: { ...opening(exchange), usage: { ...usage(exchange), output_tokens: 1 } } })
    event('ping', {})
    if (turn.kind === 'text') {
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
      for (const piece of pieces(turn.text)) event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } })
    } else {
      event('content_block_start', { index: 0, content_block: { type: 'tool_use', id: turn.id, name: turn.tool, input: {} } })
      for (const piece of pieces(JSON.stringify(turn.input))) {
        event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: piece } })
      }
    }
    event('content_block_stop', { index: 0 })
    event('message_delta', { delta: { stop_reason: stopReason(exchange), stop_sequence: null }, usage: usage(exchange) })
    event('message_stop', {})
    response.end()
  },
  refuse(failure, response, resetsInSeconds) {
    const error = (type: string, message: string): Json => ({ type: 'error', error: { type, message }, request_id: 'req_local' })
    if (failure === 'auth') {
      sendJson(response, 401, error('authentication_error', 'invalid x-api-key'), { 'x-should-retry': 'false' })
    } else if (failure === 'overloaded') {
      sendJson(response, 529, error('overloaded_error', 'Overloaded'))
    } else {
      const reset = String(Math.floor(Date.now() / 1000) + resetsInSeconds)
      sendJson(response, 429, error('rate_limit_error', 'This request would exceed your rate limit.'), {
        'x-should-retry': 'false',
        'retry-after': String(resetsInSeconds),
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': reset,
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      })
    }
  },
}

function blocks(message: Json, type: string): readonly Json[] {
  return list(field(message, 'content')).filter((each) => field(each, 'type') === type)
}

function opening({ serial, conversation }: Exchange): object {
  return {
    id: `msg_${serial}`,
    type: 'message',
    role: 'assistant',
    model: conversation.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
}

function block({ turn }: Exchange): Json {
  return turn.kind === 'text' ? { type: 'text', text: turn.text } : { type: 'tool_use', id: turn.id, name: turn.tool, input: turn.input }
}

function stopReason({ turn }: Exchange): string {
  return turn.kind === 'text' ? 'end_turn' : 'tool_use'
}

/** Returns token counts. This vendor counts cached tokens separately from `input_tokens`. */
function usage({ usage: counted }: Exchange): object {
  return {
    input_tokens: counted.input - counted.cached,
    cache_read_input_tokens: counted.cached,
    cache_creation_input_tokens: 0,
    output_tokens: counted.output,
  }
}
