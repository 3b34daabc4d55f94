import { Worker } from 'node:worker_threads'
import type { RuleHit } from './own-rules.ts'

/** The usual time limit for one text, in milliseconds. */
const usualMs = 3000
const mostLostThreads = 5
/** The time limit for the start of the thread, in milliseconds: a busy machine needs several seconds. */
const usualStartMs = 30_000

const program = new URL(import.meta.url.endsWith('.ts') ? './rules-worker.ts' : './rules-worker.js', import.meta.url)

/** A thread that runs rules over texts, one at a time. It is started with the first text. */
export class RuleThread implements AsyncDisposable {
  readonly #textMs: number
  readonly #startMs: number
  #thread: Thread | null = null
  #lost = 0

  /** Time limits in milliseconds. `startMs`: if the thread needs more, the rest of its start counts as time of the first text. */
  constructor(textMs = usualMs, startMs = usualStartMs) {
    this.#textMs = textMs
    this.#startMs = startMs
  }

  /** Resolves when the thread is ready or cannot be started. Without this call, the first text waits for the start. */
  async ready(): Promise<void> {
    this.#thread ??= start(this.#startMs)
    await this.#thread.isUp
  }

  /** Returns the places in the text that look like secrets, or the reason as text if the rules could not be run. */
  async hits(path: string, text: string, msLeft: number): Promise<readonly RuleHit[] | string> {
    if (this.#lost >= mostLostThreads) return 'the rules took too long on other files'
    await this.ready()
    const worker = this.#thread?.worker
    if (worker === undefined) return 'the rules cannot be run'
    const answer = await ask(worker, { path, text }, Math.min(this.#textMs, msLeft))
    if (typeof answer !== 'string') return answer
    this.#lost++
    this.#thread = null
    await worker.terminate()
    return answer
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.worker.terminate()
    this.#thread = null
  }
}

interface Thread {
  readonly worker: Worker
  /** Resolves when the thread has started or failed. Never rejects. */
  readonly isUp: Promise<void>
}

function start(mostMs: number): Thread {
  const worker = new Worker(program, { env: {}, execArgv: [], argv: [], stdin: false, resourceLimits: { maxOldGenerationSizeMb: 512 } })
  // The caller that is waiting for an answer gets the error.
  worker.on('error', () => undefined)
  const isUp = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, mostMs)
    const end = (): void => {
      clearTimeout(timer)
      worker.unref()
      resolve()
    }
    worker.once('message', end).once('error', end).once('exit', end)
  })
  return { worker, isUp }
}

function ask(worker: Worker, message: { path: string; text: string }, ms: number): Promise<readonly RuleHit[] | string> {
  return new Promise((resolve) => {
    const end = (answer: readonly RuleHit[] | string): void => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onError)
      resolve(answer)
    }
    const onMessage = (message: 'ready' | { hits: readonly RuleHit[] | null }): void => {
      // A thread that started late says so only now.
      if (message !== 'ready') end(message.hits ?? 'the rules failed on it')
    }
    const onError = (): void => end('the rules failed on it')
    // Not unref'd, because a caller waits for the answer and the thread itself does not keep the process alive.
    const timer = setTimeout(() => end('the rules took too long on it'), Math.max(1, ms))
    worker.on('message', onMessage).once('error', onError).once('exit', onError)
    worker.postMessage(message)
  })
}
