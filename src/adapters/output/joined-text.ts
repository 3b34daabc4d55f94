import type { AgentEvent } from './agent-events.ts'

const mostCharacters = 1_048_576

/** Returns the event for reasoning; nothing for reasoning that the CLI hides. */
export function reasoningOf(text: string | null): AgentEvent[] {
  return text === null || text === '' ? [] : [{ type: 'reasoning', text }]
}

/** Joins text that comes in deltas, until a different event comes. */
export class JoinedText {
  readonly #type: 'text' | 'reasoning'
  #pending = ''
  /** The newest complete text. */
  last = ''

  constructor(type: 'text' | 'reasoning' = 'text') {
    this.#type = type
  }

  /** Adds a delta. Returns the text so far once it reaches the maximum length of an event. */
  add(delta: string): readonly AgentEvent[] {
    this.#pending += delta
    return this.#pending.length < mostCharacters ? [] : this.flush()
  }

  flush(): readonly AgentEvent[] {
    if (this.#pending === '') return []
    this.last = this.#pending
    this.#pending = ''
    return [{ type: this.#type, text: this.last }]
  }
}
