import { SerializeAddon } from '@xterm/addon-serialize'
import * as headless from '@xterm/headless'
import { Unfinished } from './unfinished.ts'

// A CommonJS module whose named exports Node does not detect.
const { Terminal } = (headless as unknown as { readonly default: typeof headless }).default

/** The number of lines kept above the screen. */
export const scrollback = 5_000
/** The most characters kept. For a very wide terminal, later viewers get fewer lines, because each character can have its own colour. */
const mostCharacters = 1_000_000

/** The switch to the alternate screen in a serialization, which is written as if no colour had been set before it. */
const alternate = '\u001b[?1049h\u001b[H'

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** A terminal without a window, in the state of one that has read all output so far. */
export interface Screen extends Disposable {
  readonly size: Size
  /** Processes a chunk and then resolves. Only one call may be pending at a time. */
  write(chunk: Uint8Array): Promise<void>
  resize(size: Size): void
  /**
   * Returns the bytes that bring a new terminal of this size into the same state: the screen, the lines above it, its modes, and unfinished
   * sequences. A saved cursor and character sets other than UTF-8 are not included.
   */
  snapshot(): Buffer
}

/** Opens a screen. `onReply` gets its answers to programs' queries (device status, cursor position). */
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
