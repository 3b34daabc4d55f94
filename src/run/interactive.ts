import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Cell, CellIo } from '../cell/cell.ts'

/** The other end of a cell's terminal: a user's terminal, or a program that displays one. */
export interface TerminalEnd {
  /** The user's input. It is left open. */
  readonly input: Readable
  /** The destination of the terminal's output. If its reader goes away, that is an end and not an error. It is left open. */
  readonly output: Writable
  /** Calls the listener with each new size. Returns a function that removes the listener. */
  onResize(listener: (size: NonNullable<CellIo['size']>) => void): () => void
}

/** Connects the terminal of a cell to its other end. Returns a function that detaches it after all output has been read. */
export function interactive(cell: Cell, end: TerminalEnd): () => Promise<void> {
  const ignore = (): void => undefined
  end.input.on('error', ignore)
  if (cell.stdin !== null) end.input.pipe(cell.stdin)
  end.output.on('error', () => cell.stdout.destroy())
  cell.stdout.pipe(end.output, { end: false })
  const shown = finished(cell.stdout, { writable: false }).catch(ignore)
  // A cell with a terminal has no separate standard error.
  cell.stderr.resume()
  const unlisten = end.onResize(({ columns, rows }) => cell.resize(columns, rows))
  return async () => {
    await shown
    unlisten()
    if (cell.stdin !== null) end.input.unpipe(cell.stdin)
  }
}
