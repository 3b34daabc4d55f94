import type { Dialect, Exchange } from './dialect.ts'
import { field, type Json, list, text, texts } from './json.ts'
import { eventStream, pieces, sendJson } from './wire.ts'

/** The Chat Completions API, as used by opencode's openai-compatible provider and many others. */
export const openaiChat: Dialect = {
  name: 'openai-chat',
  speaks: (path) => /\/chat\/completions$/.test(path),
  aside: () => null,
  read(_path, asked) {
    const messages = list(field(asked, 'messages'))
    const of = (...roles: readonly string[]): readonly string[] =>
      messages.filter((message) => roles.includes(text(field(message, 'role')))).map((message) => texts(field(message, 'content')))
    return {
      dialect: 'openai-chat',
      model: text(field(asked, 'model')),
      system: of('system', 'developer').join('\n'),
      userTexts: of('user'),
      said: of('assistant').filter((each) => each !== ''),
      toolResults: of('tool'),
      tools: this.tools(asked).map((tool) => tool.name),
    }
  },
  tools: (asked) =>
    list(field(asked, 'tools')).map((tool) => ({
      name: text(field(field(tool, 'function'), 'name')),
      schema: field(field(tool, 'function'), 'parameters'),
    })),
  wished: () => null,
  answer(exchange, response) {
    const base = { id: `chatcmpl-${exchange.serial}`, created: Math.floor(Date.now() / 1000), model: exchange.conversation.model }
    const { turn } = exchange
    const reason = turn.kind === 'text' ? 'stop' : 'tool_calls'
    if (field(exchange.asked, 'stream') !== true) {
      const choices = [{ index: 0, message: { role: 'assistant', ...message(exchange) }, finish_reason: reason }]
      sendJson(response, 200, { ...base, object: 'chat.completion', choices, usage: usage(exchange) })
      return
    }
    const send = eventStream(response)
    const chunk = (delta: Json, finish: string | null = null): void =>
      send(null, { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })
    chunk({ role: 'assistant', content: '' })
    if (turn.kind === 'text') {
      for (const piece of pieces(turn.text)) chunk({ content: piece })
    } else {
      chunk({ tool_calls: [{ index: 0, id: turn.id, type: 'function', function: { name: turn.tool, arguments: '' } }] })
      for (const piece of pieces(JSON.stringify(turn.input))) chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })
    }
    chunk({}, reason)
    send(null, { ...base, object: 'chat.completion.chunk', choices: [], usage: usage(exchange) })
    send(null, '[DONE]')
    response.end()
  },
  refuse(failure, response) {
    const error = (message: string, type: string, code: string): Json => ({ error: { message, type, param: null, code } })
    if (failure === 'auth') sendJson(response, 401, error('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'))
    else if (failure === 'overloaded') sendJson(response, 503, error('The server is overloaded.', 'server_error', 'overloaded'))
    else sendJson(response, 429, error('Rate limit reached for requests.', 'requests', 'rate_limit_exceeded'), { 'retry-after': '3600' })
  },
}

function message({ turn }: Exchange): object {
  if (turn.kind === 'text') return { content: turn.text }
  const call = { id: turn.id, type: 'function', function: { name: turn.tool, arguments: JSON.stringify(turn.input) } }
  return { content: null, tool_calls: [call] }
}

function usage({ usage: counted }: Exchange): object {
  return {
    prompt_tokens: counted.input,
    completion_tokens: counted.output,
    total_tokens: counted.input + counted.output,
    prompt_tokens_details: { cached_tokens: counted.cached },
  }
}
