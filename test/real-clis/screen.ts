import { type IPty, spawn } from '@lydell/node-pty'
import { command, type Stage } from '../support/cli.ts'

const patienceMs = 60_000

/** The built command in a terminal, as a person uses it. It is ended at the end of `using`. */
export class Screen implements Disposable {
  readonly exit: Promise<number>
  readonly #pty: IPty
  #raw = ''
  #ended = false

  constructor(stage: Stage, args: readonly string[], env: Readonly<Record<string, string>>) {
    const [program = '', ...rest] = command(stage.who, args)
    this.#pty = spawn(program, rest, { cols: 90, rows: 30, cwd: stage.project, env: { ...env, TERM: 'xterm-256color' } })
    this.#pty.onData((data) => {
      this.#raw += data
    })
    this.exit = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => {
        this.#ended = true
        resolve(exitCode)
      })
    })
  }

  get ended(): boolean {
    return this.#ended
  }

  /** The output since the last `forget`, without sequences for position and colour (ECMA-48). Words may have no space between them. */
  get text(): string {
    return this.#raw
      .replace(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, '')
      .replace(/\u001b\[[0-?]*[ -/]*[@-~]/g, '')
      .replace(/\u001b./g, '')
  }

  forget(): void {
    this.#raw = ''
  }

  type(keys: string): void {
    this.#pty.write(keys)
  }

  resize(columns: number, rows: number): void {
    this.#pty.resize(columns, rows)
  }

  async shows(pattern: RegExp): Promise<void> {
    await this.#until(() => pattern.test(this.text), String(pattern))
  }

  /**
   * Presses a key that ends the program when it is pressed twice, the second time as soon as the program asks for it. It is not pressed
   * again while the program ends, because the program no longer owns the terminal then.
   */
  async pressTwice(key: string, asks: RegExp): Promise<number> {
    for (let tries = 0; tries < 5 && !this.#ended; tries++) {
      this.forget()
      this.type(key)
      // A program that still works is only interrupted by the first key.
      await this.#until(() => this.#ended || asks.test(this.text) || /Interrupted/.test(this.text), 'what it asks')
      if (!this.#ended && asks.test(this.text)) this.type(key)
      else if (!this.#ended) continue
      await Promise.race([this.exit, new Promise((resolve) => setTimeout(resolve, 10_000))])
    }
    return await this.exit
  }

  async #until(met: () => boolean, what: string): Promise<void> {
    for (const since = Date.now(); Date.now() - since < patienceMs; await new Promise((resolve) => setTimeout(resolve, 250))) {
      if (met()) return
      if (this.#ended) break
    }
    if (!met()) throw new Error(`${what} never came; ${this.#ended ? 'it ended' : 'it runs'}, and the screen has: ${this.text}`)
  }

  [Symbol.dispose](): void {
    if (!this.#ended) this.#pty.kill('SIGKILL')
  }
}
