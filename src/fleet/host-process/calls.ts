import { type FromHost, maxFrame, type ToHost } from './host-protocol.ts'

export type CallFrame = Extract<FromHost, { type: 'call' }>
export type CallAnswer = Extract<ToHost, { type: 'answer' }>
/** A request from a job to the server: for a human's answer, or for another agent's work. */
export type CallWish = CallFrame['what']

/** The most calls that wait at once, and their most bytes. Every server that connects gets all waiting calls and has to accept them. */
const [mostOpen, mostBytes] = [256, maxFrame]

/** The requests of this process's jobs that wait for an answer. A server that connects later receives them, too. */
export class Calls {
  readonly #open = new Map<string, { readonly frame: CallFrame; readonly resolve: (answer: CallAnswer) => void }>()
  readonly #tell: (frame: Extract<FromHost, { type: 'call' | 'withdrawn' }>) => void
  #count = 0
  #bytes = 0

  constructor(tell: (frame: Extract<FromHost, { type: 'call' | 'withdrawn' }>) => void) {
    this.#tell = tell
  }

  get open(): readonly CallFrame[] {
    return [...this.#open.values()].map(({ frame }) => frame)
  }

  /** Makes a call and waits for the answer. If the signal is aborted, rejects with its reason and withdraws the call. */
  async make(job: string, what: CallWish, signal: AbortSignal): Promise<CallAnswer> {
    signal.throwIfAborted()
    const call = String(++this.#count)
    const { promise, resolve, reject } = Promise.withResolvers<CallAnswer>()
    const frame: CallFrame = { type: 'call', job, call, what }
    const bytes = Buffer.byteLength(JSON.stringify(frame))
    if (this.#open.size >= mostOpen || this.#bytes + bytes > mostBytes)
      return { type: 'answer', job, call, ok: false, text: 'Too many calls of this agent wait for an answer already.' }
    const key = `${job} ${call}`
    const withdraw = (): void => {
      this.#tell({ type: 'withdrawn', job, call })
      reject(signal.reason)
    }
    this.#open.set(key, { frame, resolve })
    this.#bytes += bytes
    signal.addEventListener('abort', withdraw, { once: true })
    this.#tell(frame)
    try {
      return await promise
    } finally {
      this.#open.delete(key)
      this.#bytes -= bytes
      signal.removeEventListener('abort', withdraw)
    }
  }

  /** Delivers an answer. Only the first one counts. */
  answer(frame: CallAnswer): void {
    this.#open.get(`${frame.job} ${frame.call}`)?.resolve(frame)
  }
}
