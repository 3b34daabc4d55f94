import type { Readable } from 'node:stream'

/** Control sequences that switch on or off what only full-screen programs and line editors use: other screens, mouse, pasted text. */
const modes = /\u001b\[\?([\d;]+)([hl])/g
const ofEditors = new Set(['47', '1000', '1002', '1003', '1004', '1047', '1049', '2004'])
const longestSequence = 32

/**
 * Decides when a line may be printed in a terminal that a cell has: while its program only prints text. While the program draws the screen
 * or edits a line, and always for agents, lines are held.
 */
export class SharedScreen {
  readonly #isFree: boolean
  readonly #print: (line: string, isOnOwnLine: boolean) => void
  readonly #on = new Set<string>()
  #held: string[] = []
  #tail = ''
  #isStarted = false

  /**
   * `isCommand`: true if the program may only print text. An agent always draws. `print`: prints a line. If `isOnOwnLine` is false, the
   * program has printed the start of the current line.
   */
  constructor(isCommand: boolean, print: (line: string, isOnOwnLine: boolean) => void) {
    this.#isFree = isCommand
    this.#print = print
  }

  /** Watches the output of the cell, which others read as well. */
  follow(output: Readable): void {
    this.#isStarted = true
    output.on('data', (chunk: Buffer) => this.#see(chunk.toString('latin1')))
    this.#flush()
  }

  /** Prints a line now or when the screen is free. */
  say(line: string): void {
    this.#held.push(line)
    this.#flush()
  }

  /** Returns the lines that were not printed, and forgets them. */
  held(): readonly string[] {
    const held = this.#held
    this.#held = []
    return held
  }

  #see(text: string): void {
    const seen = this.#tail + text
    for (const [, numbers = '', how] of seen.matchAll(modes))
      for (const each of numbers.split(';').filter((number) => ofEditors.has(number)))
        if (how === 'h') this.#on.add(each)
        else this.#on.delete(each)
    this.#tail = seen.slice(-longestSequence)
    this.#flush()
  }

  #flush(): void {
    if (!this.#isFree || !this.#isStarted || this.#on.size > 0) return
    for (const each of this.held()) {
      this.#print(each, this.#tail === '' || /[\r\n]$/.test(this.#tail))
      this.#tail = ''
    }
  }
}
