import type { AgentEvent } from './agent-events.ts'

const mostCharacters = 1_048_576

/** Joins text that comes in deltas, until a different event comes. */
export class JoinedText {
  #pending = ''
  /** The newest complete text. */
  last = ''

  /** Adds a delta. Returns the text so far once it reaches the maximum length of an event. */
  add(delta: string): readonly AgentEvent[] {
    this.#pending += delta
    return this.#pending.length < mostCharacters ? [] : this.flush()
  }

  flush(): readonly AgentEvent[] {
    if (this.#pending === '') return []
    this.last = this.#pending
    this.#pending = ''
    return [{ type: 'text', text: this.last }]
  }
}
