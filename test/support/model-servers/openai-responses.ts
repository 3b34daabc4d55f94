import type { Dialect, Exchange } from './dialect.ts'
import { field, type Json, list, text, texts } from './json.ts'
import { eventStream, pieces, sendJson } from './wire.ts'

/** The Responses API, as used by the codex CLI and opencode's openai provider. */
export const openaiResponses: Dialect = {
  name: 'openai-responses',
  speaks: (path) => /\/responses$/.test(path),
  aside: () => null,
  read(_path, asked) {
    const input = field(asked, 'input')
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : list(input)
    const of = (...roles: readonly string[]): readonly string[] =>
      items
        .filter((item) => roles.includes(text(field(item, 'role'))))
        .map((item) => texts(field(item, 'content')))
        .filter((each) => each !== '')
    const results = items.filter((item) => /_call_output$/.test(text(field(item, 'type'))))
    return {
      dialect: 'openai-responses',
      model: text(field(asked, 'model')),
      system: [text(field(asked, 'instructions')), ...of('system', 'developer')].join('\n'),
      userTexts: of('user'),
      said: of('assistant'),
      toolResults: results.map((item) => outputOf(field(item, 'output'))),
      tools: list(field(asked, 'tools')).map((tool) => text(field(tool, 'name')) || text(field(tool, 'type'))),
    }
  },
  tools: (asked) =>
    list(field(asked, 'tools'))
      .filter((tool) => field(tool, 'type') === 'function')
      .map((tool) => ({ name: text(field(tool, 'name')), schema: field(tool, 'parameters') })),
  wished: () => null,
  answer(exchange, response) {
    const item = itemOf(exchange)
    if (field(exchange.asked, 'stream') !== true) {
      sendJson(response, 200, { ...envelope(exchange, 'completed'), output: [item] })
      return
    }
    const send = eventStream(response)
    let number = 0
    const event = (type: string, data: object): void => send(type, { type, sequence_number: number++, ...data })
    event('response.created', { response: envelope(exchange, 'in_progress') })
    event('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', ...bare(exchange) } })
    const place = { item_id: field(item, 'id'), output_index: 0 }
    if (exchange.turn.kind === 'text') {
      const part = { type: 'output_text', text: exchange.turn.text, annotations: [] }
      event('response.content_part.added', { ...place, content_index: 0, part: { ...part, text: '' } })
      for (const delta of pieces(exchange.turn.text)) event('response.output_text.delta', { ...place, content_index: 0, delta })
      event('response.output_text.done', { ...place, content_index: 0, text: exchange.turn.text })
      event('response.content_part.done', { ...place, content_index: 0, part })
    } else {
      const whole = JSON.stringify(exchange.turn.input)
      for (const delta of pieces(whole)) event('response.function_call_arguments.delta', { ...place, delta })
      event('response.function_call_arguments.done', { ...place, arguments: whole })
    }
    event('response.output_item.done', { output_index: 0, item })
    event('response.completed', { response: { ...envelope(exchange, 'completed'), output: [item] } })
    response.end()
  },
  refuse(failure, response) {
    if (failure === 'auth') {
      sendJson(response, 401, { error: { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' } })
    } else if (failure === 'overloaded') {
      sendJson(response, 503, { error: { message: 'The server is overloaded.', type: 'server_error', code: 'server_is_overloaded' } })
    } else {
      const resets = Math.floor(Date.now() / 1000) + 3600
      sendJson(response, 429, {
        error: { type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: 'plus', resets_at: resets },
      })
    }
  },
}

function outputOf(output: Json): string {
  return typeof output === 'string' ? output : texts(output) || JSON.stringify(output ?? '')
}

function itemOf({ turn, serial }: Exchange): object {
  if (turn.kind === 'text') {
    const content = [{ type: 'output_text', text: turn.text, annotations: [] }]
    return { type: 'message', id: `msg_${serial}`, role: 'assistant', status: 'completed', content }
  }
  const input = JSON.stringify(turn.input)
  // NAMESPACE/TOOL names a tool that was found by a search.
  const [name = '', namespace] = turn.tool.split('/').reverse()
  const where = namespace === undefined ? {} : { namespace }
  return { type: 'function_call', id: `fc_${serial}`, call_id: turn.id, name, ...where, arguments: input, status: 'completed' }
}

function bare({ turn }: Exchange): object {
  return turn.kind === 'text' ? { content: [] } : { arguments: '' }
}

function envelope({ serial, conversation, usage }: Exchange, status: string): object {
  const counted = {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  }
  return {
    id: `resp_${serial}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status,
    model: conversation.model,
    output: [],
    usage: status === 'completed' ? counted : null,
  }
}
