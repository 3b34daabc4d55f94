import { SerializeAddon } from '@xterm/addon-serialize'
import * as headless from '@xterm/headless'
import { Unfinished } from './unfinished.ts'

// It is CommonJS whose names Node does not find.
const { Terminal } = (headless as unknown as { readonly default: typeof headless }).default

/** Lines that are kept above the screen. */
export const scrollback = 5_000
/** Of a very wide terminal fewer lines are shown to who comes later: each character can have a colour of its own. */
const mostCharacters = 1_000_000

/** How the other screen begins in what is serialized; it is written there as if no colour had been set before. */
const alternate = '\u001b[?1049h\u001b[H'

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** A terminal without a window: it knows what one would show that has read all that came. */
export interface Screen extends Disposable {
  readonly size: Size
  /** Resolves when it was read. One at a time. */
  write(chunk: Uint8Array): Promise<void>
  resize(size: Size): void
  /**
   * What brings a new terminal of this size to the same state: its screen, the lines above it, its modes, and what was begun. A saved cursor and
   * other character sets than UTF-8 are not in it.
   */
  snapshot(): Buffer
}

/** `onReply` gets what it answers to questions of programs (device status, cursor position). */
export function openScreen(size: Size, onReply: (answer: string) => void): Screen {
  const terminal = new Terminal({ cols: size.columns, rows: size.rows, scrollback, allowProposedApi: true, logLevel: 'off' })
  const serialize = new SerializeAddon()
  terminal.loadAddon(serialize)
  terminal.onData(onReply)
  const unfinished = new Unfinished()
  return {
    get size() {
      return { columns: terminal.cols, rows: terminal.rows }
    },
    write: (chunk) =>
      new Promise((resolve) => {
        terminal.write(chunk, () => {
          unfinished.add(chunk)
          resolve()
        })
      }),
    resize: ({ columns, rows }) => terminal.resize(columns, rows),
    snapshot: () => {
      const lines = Math.min(scrollback, Math.floor(mostCharacters / terminal.cols))
      return Buffer.concat([
        Buffer.from(serialize.serialize({ scrollback: lines }).replace(alternate, `${alternate}\u001b[0m`)),
        unfinished.bytes,
      ])
    },
    [Symbol.dispose]: () => terminal.dispose(),
  }
}
