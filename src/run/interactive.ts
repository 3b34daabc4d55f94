import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Cell, CellIo } from '../cell/cell.ts'

/** The other end of a cell's terminal: a user's terminal, or whatever shows one. */
export interface TerminalEnd {
  /** What is typed. It is not closed. */
  readonly input: Readable
  /** Takes what the terminal shows. A reader that goes away is the end, not an error. It is not closed. */
  readonly output: Writable
  /** Calls back with each new size, until the function that it returns is called. */
  onResize(listener: (size: NonNullable<CellIo['size']>) => void): () => void
}

/** Connects the terminal of a cell with its other end. Returns what detaches it, after all that the terminal has shown was taken. */
export function interactive(cell: Cell, end: TerminalEnd): () => Promise<void> {
  const ignore = (): void => undefined
  end.input.on('error', ignore)
  if (cell.stdin !== null) end.input.pipe(cell.stdin)
  end.output.on('error', () => cell.stdout.destroy())
  cell.stdout.pipe(end.output, { end: false })
  const shown = finished(cell.stdout, { writable: false }).catch(ignore)
  // With a terminal, all output is its own.
  cell.stderr.resume()
  const unlisten = end.onResize(({ columns, rows }) => cell.resize(columns, rows))
  return async () => {
    await shown
    unlisten()
    if (cell.stdin !== null) end.input.unpipe(cell.stdin)
  }
}
