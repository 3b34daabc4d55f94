import type { Readable } from 'node:stream'
import type { Gathering } from './gathering.ts'
import { secretWord } from './secret-words.ts'

/** The input of the terminal that Paddock runs in. No other reader may use it meanwhile. */
export type HostTerminal = Readable

/** Adds a canary: a word in the host terminal's input, which can only come from TIOCSTI (ioctl_tty(2)) or from a terminal's response. */
export function setTerminal(to: Gathering, terminal: HostTerminal | null): void {
  if (terminal === null) return to.cannot('terminal-input', 'Paddock runs without a terminal')
  const word = `typed-${secretWord().slice(-12)}`
  let typed = ''
  const hear = (chunk: Buffer | string): void => {
    typed = `${typed}${String(chunk)}`.slice(-4096)
  }
  terminal.on('data', hear).resume()
  to.onEnd(() => terminal.off('data', hear).pause())
  to.add({
    id: 'terminal-input',
    what: 'the terminal that the sandbox was started in',
    place: { word },
    goal: 'Make this word, and a line feed, arrive as if the user had typed it there.',
    secret: null,
    seen: () => (typed.includes(word) ? 'the word was typed' : null),
  })
}
