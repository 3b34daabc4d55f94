import { Refusal } from '../problem.ts'

/** The reason why the server ended a stream. */
export type Ending = 'credential' | 'stopping'

/** One response that stays open. The caller that opened it must close it. */
export interface OpenStream extends Disposable {
  /** Aborted with an `Ending` as its reason. */
  readonly signal: AbortSignal
}

/** The open streams by credential. If a token is revoked or a session ends, its streams are closed immediately. */
export class OpenStreams {
  readonly #most: number
  readonly #mostOfOne: number
  readonly #open = new Map<AbortController, string>()

  constructor(most = 2_000, mostOfOne = 1_000) {
    this.#most = most
    this.#mostOfOne = mostOfOne
  }

  get size(): number {
    return this.#open.size
  }

  /** Throws BUSY if too many streams are open, in total or with this credential. */
  open(credential: string, mostOfOne = this.#mostOfOne): OpenStream {
    let own = 0
    for (const of of this.#open.values()) if (of === credential) own += 1
    if (this.#open.size >= this.#most || own >= mostOfOne)
      throw new Refusal('BUSY', 'Too many streams are open.', { hint: 'Close one, then try again', headers: { 'retry-after': '10' } })
    const controller = new AbortController()
    this.#open.set(controller, credential)
    return { signal: controller.signal, [Symbol.dispose]: () => void this.#open.delete(controller) }
  }

  endOf(credential: string): void {
    for (const [controller, of] of this.#open) if (of === credential) controller.abort('credential' satisfies Ending)
  }

  endAll(): void {
    for (const controller of this.#open.keys()) controller.abort('stopping' satisfies Ending)
  }
}
