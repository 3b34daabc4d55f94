import type { Dialect, Exchange } from './dialect.ts'
import { field, type Json, list, text, texts } from './json.ts'
import { eventStream, pieces, sendJson } from './wire.ts'

/** The Gemini API, as used by the gemini CLI and opencode's google provider. */
export const gemini: Dialect = {
  name: 'gemini',
  speaks: (path) => /:(streamG|g)enerateContent$/.test(path),
  aside(_method, path, asked) {
    return path.endsWith(':countTokens') ? { totalTokens: Math.ceil(JSON.stringify(asked ?? '').length / 4) } : null
  },
  read(path, asked) {
    const contents = list(field(asked, 'contents'))
    const of = (...roles: readonly string[]): readonly string[] =>
      contents
        .filter((content) => roles.includes(text(field(content, 'role'))))
        .map((content) => texts(field(content, 'parts')))
        .filter((each) => each !== '')
    const answers = contents.flatMap((content) => list(field(content, 'parts'))).map((part) => field(part, 'functionResponse'))
    return {
      dialect: 'gemini',
      model: /\/models\/([^/:]+):/.exec(path)?.[1] ?? '',
      system: texts(field(field(asked, 'systemInstruction'), 'parts')),
      userTexts: of('user', ''),
      said: of('model'),
      toolResults: answers.filter((each) => each !== undefined).map((each) => outputOf(field(each, 'response'))),
      tools: this.tools(asked).map((tool) => tool.name),
    }
  },
  tools: (asked) =>
    list(field(asked, 'tools'))
      .flatMap((tool) => list(field(tool, 'functionDeclarations')))
      .map((tool) => ({ name: text(field(tool, 'name')), schema: field(tool, 'parametersJsonSchema') ?? field(tool, 'parameters') })),
  wished(asked) {
    const config = field(asked, 'generationConfig')
    if (field(config, 'responseMimeType') !== 'application/json') return null
    return JSON.stringify(sample(field(config, 'responseJsonSchema') ?? field(config, 'responseSchema')))
  },
  answer(exchange, response) {
    const { turn } = exchange
    if (!exchange.path.endsWith(':streamGenerateContent')) {
      const parts = [turn.kind === 'text' ? { text: turn.text } : call(exchange)]
      sendJson(response, 200, chunk(exchange, parts, true))
      return
    }
    const send = eventStream(response)
    const whole = turn.kind === 'text' ? pieces(turn.text).map((piece) => ({ text: piece })) : [call(exchange)]
    for (const [index, part] of whole.entries()) send(null, chunk(exchange, [part], index === whole.length - 1))
    response.end()
  },
  refuse(failure, response) {
    const error = (code: number, status: string, message: string, details: readonly Json[] = []): void =>
      sendJson(response, code, { error: { code, message, status, details } })
    if (failure === 'auth') {
      const reason = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' }
      error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [reason])
    } else if (failure === 'overloaded') {
      error(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')
    } else {
      const violation = { quotaMetric: 'generate_requests', quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }
      error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.', [
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [violation] },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3600s' },
      ])
    }
  },
}

function call({ turn }: Exchange): Json {
  return turn.kind === 'call' ? { functionCall: { id: turn.id, name: turn.tool, args: turn.input } } : {}
}

function outputOf(response: Json): string {
  return text(field(response, 'output')) || text(field(response, 'error')) || JSON.stringify(response ?? '')
}

function chunk({ usage, conversation, serial }: Exchange, parts: readonly Json[], last: boolean): Json {
  const counted = {
    promptTokenCount: usage.input,
    cachedContentTokenCount: usage.cached,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.output,
  }
  const candidate = { content: { role: 'model', parts }, index: 0, ...(last ? { finishReason: 'STOP' } : {}) }
  return { responseId: `resp_${serial}`, modelVersion: conversation.model, candidates: [candidate], usageMetadata: counted }
}

/** Returns a minimal value for a schema. For an enum it is the last choice (the small model in gemini's routing). */
function sample(schema: Json): Json {
  const type = text(field(schema, 'type')).toLowerCase()
  const choices = list(field(schema, 'enum'))
  if (choices.length > 0) return choices.at(-1)
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') return 1
  if (type !== 'object') return 'as the script says'
  const properties = field(schema, 'properties')
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return Object.fromEntries(names.map((name) => [name, sample(field(properties, name))]))
}
