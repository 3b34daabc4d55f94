/**
 * Counts the bytes that the host process holds for one cell before they are judged or answered: first bytes, incomplete heads, requests
 * that wait for an answer. This memory belongs to the host and is not part of the cell's own limit, so all connections of a cell share one
 * budget.
 */
export class HeldBytes {
  #left: number

  /** @param limit in bytes. */
  constructor(limit: number) {
    this.#left = limit
  }

  /** Returns a holder of zero bytes. The caller must release it. */
  hold(): Held {
    let held = 0
    return {
      set: (bytes) => {
        const more = bytes - held
        if (more > this.#left) return false
        this.#left -= more
        held = bytes
        return true
      },
      release: () => {
        this.#left += held
        held = 0
      },
    }
  }
}

export interface Held {
  /** Sets the number of bytes that are held now. Returns false if there is no room for them; the previous number then stays in effect. */
  set(bytes: number): boolean
  /** Sets the number of held bytes to zero. Idempotent. */
  release(): void
}

/** The refusal for a connection whose bytes do not fit the budget. */
export const noRoom = { reason: 'too-many', detail: 'too much of the cell waits for a decision or a response' } as const
