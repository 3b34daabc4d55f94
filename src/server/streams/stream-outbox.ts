/** Data that was handed to a connection but not yet accepted by its socket. */
export class Outbox {
  readonly #send: (data: string, taken: () => void) => void
  #bytes = 0
  #items = 0
  #taken = 0
  #waiting: PromiseWithResolvers<void> | null = null

  /** `send` calls `taken` once the socket has accepted the data, or never will. */
  constructor(send: (data: string, taken: () => void) => void) {
    this.#send = send
  }

  get bytes(): number {
    return this.#bytes
  }

  get items(): number {
    return this.#items
  }

  /** The number of times that the socket has accepted data. If it does not grow, the reader does not read. */
  get taken(): number {
    return this.#taken
  }

  put(data: string, items: number): void {
    const bytes = Buffer.byteLength(data)
    this.#bytes += bytes
    this.#items += items
    this.#send(data, () => {
      this.#bytes -= bytes
      this.#items -= items
      this.#taken += 1
      this.#waiting?.resolve()
    })
  }

  /** Resolves when at most this many bytes are waiting, or when the signal is aborted. */
  async below(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.#bytes <= bytes) return
    const wake = (): void => this.#waiting?.resolve()
    signal.addEventListener('abort', wake)
    while (this.#bytes > bytes && !signal.aborted) {
      this.#waiting = Promise.withResolvers<void>()
      await this.#waiting.promise
    }
    signal.removeEventListener('abort', wake)
  }
}
