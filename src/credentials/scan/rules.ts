import { Worker } from 'node:worker_threads'
import type { RuleHit } from './own-rules.ts'

/** Milliseconds for one text. */
const mostMs = 3000
const mostLostThreads = 5

const program = new URL(import.meta.url.endsWith('.ts') ? './rules-worker.ts' : './rules-worker.js', import.meta.url)

/** Runs rules over texts, one at a time, in a thread that is made with the first one. */
export class RuleThread implements AsyncDisposable {
  #worker: Worker | null = null
  #lost = 0

  /** Places in the text that look like secrets; in words why it could not be said. */
  async hits(path: string, text: string, msLeft: number): Promise<readonly RuleHit[] | string> {
    if (this.#lost >= mostLostThreads) return 'the rules took too long on other files'
    const worker = this.#worker ?? this.#start()
    this.#worker = worker
    const answer = await ask(worker, { path, text }, Math.min(mostMs, msLeft))
    if (typeof answer !== 'string') return answer
    this.#lost++
    this.#worker = null
    await worker.terminate()
    return answer
  }

  #start(): Worker {
    const worker = new Worker(program, { env: {}, execArgv: [], argv: [], stdin: false, resourceLimits: { maxOldGenerationSizeMb: 512 } })
    worker.unref()
    // Who waits for an answer hears of it; nobody else needs to.
    worker.on('error', () => undefined)
    return worker
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = null
  }
}

function ask(worker: Worker, message: { path: string; text: string }, ms: number): Promise<readonly RuleHit[] | string> {
  return new Promise((resolve) => {
    const end = (answer: readonly RuleHit[] | string): void => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onError)
      resolve(answer)
    }
    const onMessage = ({ hits }: { hits: readonly RuleHit[] | null }): void => end(hits ?? 'the rules failed on it')
    const onError = (): void => end('the rules failed on it')
    // Not unref'd: an answer is being waited for, and the thread alone does not keep the process.
    const timer = setTimeout(() => end('the rules took too long on it'), Math.max(1, ms))
    worker.once('message', onMessage).once('error', onError).once('exit', onError)
    worker.postMessage(message)
  })
}
