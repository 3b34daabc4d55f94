import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { AgentEvent, TokenUsage } from '../../adapters/output/agent-events.ts'

/** Converts the answers of a model into events, and adds up the model's use. */
export class AnswerEvents {
  #usage: TokenUsage

  constructor(model: string) {
    this.#usage = { input: 0, output: 0, cachedInput: 0, model }
  }

  /** Returns the events of one complete answer, in order, with the total use so far. */
  of(parts: readonly LanguageModelV4StreamPart[]): { readonly events: readonly AgentEvent[]; readonly text: string } {
    const events: AgentEvent[] = []
    const texts: string[] = []
    let text = ''
    for (const part of parts) {
      if (part.type === 'text-start') text = ''
      else if (part.type === 'text-delta') text += part.delta
      else if (part.type === 'text-end' && text !== '') {
        texts.push(text)
        events.push({ type: 'text', text })
        text = ''
      } else if (part.type === 'tool-call') {
        events.push({ type: 'tool-call', id: part.toolCallId, name: part.toolName, input: inputOf(part.input) })
      } else if (part.type === 'response-metadata' && part.modelId !== undefined) this.#usage = { ...this.#usage, model: part.modelId }
      else if (part.type === 'finish') this.#add(part.usage)
    }
    return { events: [...events, { type: 'usage', usage: this.#usage }], text: texts.join('\n\n') }
  }

  #add({ inputTokens, outputTokens }: LanguageModelV4Usage): void {
    const { input, output, cachedInput, model } = this.#usage
    this.#usage = {
      input: input + count(inputTokens.total),
      output: output + count(outputTokens.total),
      cachedInput: cachedInput + count(inputTokens.cacheRead),
      model,
    }
  }
}

/** Returns the parsed input. Input that is not JSON is refused later, when the tool is called. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns a plausible number of tokens, because an endpoint may report anything. */
function count(tokens: number | undefined): number {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? Math.min(Math.round(tokens), 1e9) : 0
}
