import type { ServerHttp2Stream } from 'node:http2'
import { PassThrough, type Writable } from 'node:stream'
import { messageOf, PaddockError } from '../../base/errors.ts'
import type { Cell } from '../cell.ts'
import type { HomeConnection } from './home-connection.ts'
import { send } from './place-answers.ts'
import { cutStream } from './place-link.ts'
import { agreed, type CellEvent, linesOf } from './place-wire.ts'
import { drained, Spool } from './spool.ts'

/** Milliseconds for which what a cell has left waits for home after its end. */
const resultMs = 24 * 3_600_000

/** A cell of this machine, with everything that home has not received yet. */
export class ServedCell {
  /** Ids of the trees of home that the cell sees. */
  readonly trees: readonly string[]
  /** Null: the cell has not started. */
  cell: Cell | null = null
  /** Null: the cell has no standard input. */
  input: ServedInput | null = null
  readonly #keepMs: number
  readonly #onGone: () => void
  readonly #said = new PassThrough()
  readonly #events = new Spool(this.#said)
  readonly #spools = new Map([['events', this.#events]])
  readonly #agreed = Promise.withResolvers<void>()
  #home: HomeConnection | null
  #homeAgain = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined

  /**
   * @param keepMs milliseconds for which the cell goes on without a connection to home.
   * @param onGone called when nobody has asked in time for what the cell has left.
   */
  constructor(home: HomeConnection, trees: readonly string[], keepMs: number, onGone: () => void) {
    this.#home = home
    this.trees = trees
    this.#keepMs = keepMs
    this.#onGone = onGone
    this.#agreed.promise.catch(() => undefined)
  }

  say(event: CellEvent): void {
    this.#said.write(`${JSON.stringify(event)}\n`)
  }

  /** Says why there is no cell, or no report of one. */
  refuse(error: unknown): void {
    const { code, message, hint = null } = error instanceof PaddockError ? error : { code: 'CELL_FAILED', message: messageOf(error) }
    this.say({ event: 'refused', code, message, hint })
  }

  /** Resolves when home wants the cell. Rejects if home is gone before. */
  get agreement(): Promise<void> {
    return this.#agreed.promise
  }

  /** Serves the stream that started the cell. `lines`: the rest of its body. */
  async sayTo(stream: ServerHttp2Stream, lines: AsyncIterable<string>): Promise<void> {
    send(stream, this.#events.from(0))
    await acknowledged(this.#events, lines, () => this.#agreed.resolve())
    this.#agreed.reject(new PaddockError('CANCELLED', 'Home does not want this cell.'))
  }

  started(cell: Cell): void {
    this.cell = cell
    this.#spools.set('stdout', new Spool(cell.stdout)).set('stderr', new Spool(cell.stderr))
    if (cell.stdin !== null) this.input = new ServedInput(cell.stdin)
    this.say({ event: 'started', hasInput: cell.stdin !== null, notes: [...(cell.notes ?? [])] })
    if (this.#home === null) this.#waitForHome()
    void cell.done
      .then((report) => this.say({ event: 'ended', report }))
      .catch((error) => this.refuse(error))
      .finally(() => {
        this.#said.end()
        if (this.#home === null) this.#waitForHome()
      })
  }

  /** Returns the spool of a part that home can ask for. */
  spoolOf(part: string): Spool | undefined {
    return this.#spools.get(part)
  }

  /** Serves a stream that asks for a spool from an offset on, and follows how much of it home has. */
  async send(stream: ServerHttp2Stream, spool: Spool, from: number, home: HomeConnection): Promise<void> {
    this.#follow(home)
    send(stream, spool.from(from))
    await acknowledged(spool, linesOf(stream))
  }

  async receive(stream: ServerHttp2Stream, input: ServedInput, home: HomeConnection): Promise<void> {
    this.#follow(home)
    await input.take(stream)
  }

  /** Returns the connection to home, if necessary as soon as there is one again. */
  async home(signal: AbortSignal): Promise<HomeConnection> {
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => undefined)
    signal.addEventListener('abort', () => reject(new Error('home is gone')), { once: true })
    while (this.#home === null) await Promise.race([promise, this.#homeAgain.promise])
    return this.#home
  }

  /** Says that a connection of home is gone. The cell goes on as long as it is to be kept. */
  left(home: HomeConnection): void {
    if (this.#home !== home) return
    this.#home = null
    if (this.cell !== null) this.#waitForHome()
  }

  /** Ends the spool of events, and all waiting. */
  close(): void {
    clearTimeout(this.#timer)
    this.#said.end()
  }

  #waitForHome(): void {
    clearTimeout(this.#timer)
    if (this.#said.writableEnded) this.#timer = setTimeout(this.#onGone, this.#keepMs === 0 ? 0 : resultMs)
    else this.#timer = setTimeout(() => this.cell?.stop('cancelled'), this.#keepMs)
  }

  #follow(home: HomeConnection): void {
    clearTimeout(this.#timer)
    this.#home = home
    this.#homeAgain.resolve()
    this.#homeAgain = Promise.withResolvers()
  }
}

/** Follows how much of a spool home has, until the stream that says it ends. */
async function acknowledged(spool: Spool, lines: AsyncIterable<string>, onAgreed: () => void = () => undefined): Promise<void> {
  try {
    for await (const line of lines) {
      if (line === agreed) onAgreed()
      else spool.acknowledge(Number(line))
    }
  } catch {
    // The stream was cut off.
  }
}

/** The standard input of a cell, which connections of home continue one after the other. */
export class ServedInput {
  readonly #input: Writable
  #received = 0
  #newest: ServerHttp2Stream | null = null

  constructor(input: Writable) {
    this.#input = input
    input.on('error', () => {})
  }

  async take(stream: ServerHttp2Stream): Promise<void> {
    if (this.#newest !== null) cutStream(this.#newest)
    this.#newest = stream
    if (stream.destroyed) return
    stream.respond({ ':status': 200 })
    const say = (): void => {
      if (!stream.destroyed) stream.write(`${this.#received}\n`)
    }
    say()
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (this.#newest !== stream) return
        this.#received += chunk.length
        if (!this.#input.destroyed && !this.#input.write(chunk)) await drained(this.#input)
        say()
      }
      if (stream.aborted || stream.rstCode !== 0) return
      this.#input.end()
      stream.end()
    } catch {
      // The stream was cut off: the next one goes on.
    }
  }
}
