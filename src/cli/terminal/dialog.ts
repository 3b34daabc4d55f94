import { createInterface } from 'node:readline'
import { PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { printable } from '../../base/text.ts'

/** Asks questions in a terminal, one line for each answer. */
export interface Dialog extends Disposable {
  /** Prints a line without a question. */
  say(line: string): void
  /** Returns the answer without spaces around it. @throws PaddockError CANCELLED at the end of the input, or with Ctrl-C */
  ask(question: string): Promise<string>
}

/** Returns true if questions can be asked in the terminal of this process. */
export function canTalk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

export function openDialog(input: NodeJS.ReadableStream = process.stdin, output: NodeJS.WritableStream = process.stderr): Dialog {
  const lines: string[] = []
  let [isEnded, wake] = [false, (): void => undefined]
  const reader = createInterface({ input, output })
  // Lines that were typed ahead are answers to the next questions.
  reader.on('line', (line) => {
    lines.push(line)
    wake()
  })
  reader.on('SIGINT', () => reader.close())
  reader.on('close', () => {
    isEnded = true
    wake()
  })
  return {
    say: (line) => void output.write(`${printable(line)}\n`),
    async ask(question) {
      reader.setPrompt(printable(question))
      // A reader that has ended cannot prompt, but its last lines are still answers.
      if (isEnded) output.write(printable(question))
      else reader.prompt()
      while (lines.length === 0 && !isEnded) await new Promise<void>((resolve) => (wake = resolve))
      const line = lines.shift()
      if (line !== undefined) return line.trim()
      output.write('\n')
      throw new PaddockError('CANCELLED', 'Nothing was changed.')
    },
    [Symbol.dispose]: () => reader.close(),
  }
}

/** Asks until the answer is yes or no. An empty answer is `usual`. */
export async function askYes(dialog: Dialog, question: string, usual: boolean): Promise<boolean> {
  for (;;) {
    const answer = (await dialog.ask(`${question} ${usual ? '[Y/n]' : '[y/N]'} `)).toLowerCase()
    if (answer === '') return usual
    if (/^y(?:es)?$/.test(answer)) return true
    if (/^no?$/.test(answer)) return false
    dialog.say('Answer y or n.')
  }
}

/** Asks for some of several names until all are known. An empty answer is `usual`, and `none` no name. */
export async function askNames(
  dialog: Dialog,
  question: string,
  known: readonly string[],
  usual: readonly string[],
): Promise<readonly string[]> {
  for (;;) {
    const answer = await dialog.ask(`${question} [${usual.length === 0 ? 'none' : usual.join(' ')}] `)
    if (answer === '') return usual
    if (answer.toLowerCase() === 'none') return []
    const names = [...new Set(answer.split(/[\s,]+/).filter((each) => each !== ''))]
    const wrong = names.find((each) => !known.includes(each))
    if (wrong === undefined) return names
    const near = nearest(wrong, known)
    dialog.say(`"${wrong}" is not one of them. ${near === null ? `Known are ${known.join(', ')}.` : `Did you mean ${near}?`}`)
  }
}
