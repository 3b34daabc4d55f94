/**
 * What one cell makes the host process hold for it before anything is decided or answered: first bytes, heads that are not whole yet, requests
 * that wait for an answer. The memory is the host's, beyond the cell's own limit, so the cell has one budget for all its connections.
 */
export class HeldBytes {
  #left: number

  /** @param limit bytes. */
  constructor(limit: number) {
    this.#left = limit
  }

  /** Returns a holder of zero bytes. The caller releases it. */
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
  /** Says how many bytes are held now. False: there is no room for so many, and what was held before still is. */
  set(bytes: number): boolean
  /** Nothing is held any more. Idempotent. */
  release(): void
}

/** Why somebody is refused whose bytes find no room. */
export const noRoom = { reason: 'too-many', detail: 'the cell has too much waiting to be judged or answered' } as const
