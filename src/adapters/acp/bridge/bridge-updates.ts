import type { BridgeLine } from './bridge-protocol.ts'

type Json = Readonly<Record<string, unknown>>

/** The maximum number of characters of text in one line, and of tool calls that are remembered at once. */
const [mostCharacters, mostCalls] = [65_536, 1_000]

interface Call {
  readonly name: string
  readonly input: unknown
  readonly said: boolean
}

/** Turns updates of a session into lines. Unknown updates are left out. */
export class Updates {
  readonly #say: (line: BridgeLine) => void
  /** The tool calls that have not ended. */
  readonly #calls = new Map<string, Call>()

  constructor(say: (line: BridgeLine) => void) {
    this.#say = say
  }

  take(update: Json): void {
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return this.#text('delta', update)
      case 'agent_thought_chunk':
        return this.#text('thought', update)
      case 'tool_call':
      case 'tool_call_update':
        return this.#tool(update)
      case 'usage_update': {
        const { amount, currency } = objectOf(update['cost'])
        if (currency === 'USD' && typeof amount === 'number') this.#say({ type: 'cost', usd: amount })
      }
    }
  }

  /** Reports a tool call for which the agent asks permission, because the call comes next. */
  asked(call: Json): void {
    this.#tool({ ...call, status: 'in_progress' })
  }

  #text(as: 'delta' | 'thought', update: Json): void {
    const { type, text } = objectOf(update['content'])
    if (type === 'text' && typeof text === 'string' && text !== '') this.#say({ type: as, text })
  }

  /** Reports a tool call once it runs or has ended, because agents send its name before its input. */
  #tool(update: Json): void {
    const id = String(update['toolCallId'] ?? '')
    const { status } = update
    const before = this.#calls.get(id)
    const title = textOf(update['title'])
    const input = Object.keys(objectOf(update['rawInput'])).length > 0 ? update['rawInput'] : (before?.input ?? (title ? { title } : null))
    const name = textOf(update['kind']) || before?.name || title
    const begun = status === 'in_progress' || status === 'completed' || status === 'failed'
    if (begun && before?.said !== true) this.#say({ type: 'tool-call', id, name, input })
    if (status === 'completed' || status === 'failed') {
      this.#calls.delete(id)
      const text = contentText(update['content']) || (update['rawOutput'] === undefined ? '' : JSON.stringify(update['rawOutput']))
      this.#say({ type: 'tool-result', id, ok: status === 'completed', text: text.slice(0, mostCharacters) })
    } else if (before !== undefined || this.#calls.size < mostCalls) {
      this.#calls.set(id, { name, input, said: begun || before?.said === true })
    }
  }
}

/** Returns the tokens of a turn, if the agent reports them: in `usage`, which is not stable yet, or in fields that gemini adds. */
export function usageIn(answer: Json): BridgeLine | null {
  const usage = objectOf(answer['usage'])
  if (typeof usage['totalTokens'] === 'number') {
    const cached = countOf(usage['cachedReadTokens'])
    const input = countOf(usage['inputTokens']) + cached + countOf(usage['cachedWriteTokens'])
    return { type: 'usage', input, output: countOf(usage['outputTokens']) + countOf(usage['thoughtTokens']), cachedInput: cached }
  }
  const quota = objectOf(objectOf(objectOf(answer['_meta'])['quota'])['token_count'])
  if (typeof quota['input_tokens'] !== 'number') return null
  return { type: 'usage', input: quota['input_tokens'], output: countOf(quota['output_tokens']), cachedInput: 0 }
}

function contentText(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content.map((each) => textOf(objectOf(objectOf(each)['content'])['text'])).join('')
}

export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
