import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'

/** Passes a cell's output to the output of this process, and holds it back while other text must stay readable there. */
export class OutputGate {
  readonly #pairs = new Set<readonly [Readable, Writable]>()
  #holders = 0

  /** Resolves at the end of the output. A reader that goes away (`| head`) also ends the output, which is not an error. */
  async pass(from: Readable, to: Writable): Promise<void> {
    const pair = [from, to] as const
    this.#pairs.add(pair)
    to.on('error', () => from.destroy())
    if (this.#holders === 0) from.pipe(to, { end: false })
    await finished(from, { writable: false }).catch(() => undefined)
    this.#pairs.delete(pair)
  }

  /** Holds back all output; returns a function that releases it. */
  hold(): () => void {
    let held = true
    if (this.#holders++ === 0) for (const [from, to] of this.#pairs) from.unpipe(to)
    return () => {
      if (!held) return
      held = false
      if (--this.#holders === 0) for (const [from, to] of this.#pairs) from.pipe(to, { end: false })
    }
  }
}
