import { PassThrough, type Readable, type Writable } from 'node:stream'
import type { CellIo } from '../../cell.ts'
import { makePipes } from './pipes.ts'
import { openTerminal } from './terminal.ts'

/** The standard streams of a cell: what the host holds, and the descriptors that the cell gets. */
export interface Streams {
  readonly stdio: readonly [number, number, number]
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  outputBytes(): number
  resize(columns: number, rows: number): void
}

export async function pipeStreams(mkfifo: string, directory: string, stdin: CellIo['stdin']): Promise<Streams> {
  const [input, output, errors] = await makePipes(mkfifo, directory, ['to-cell', 'from-cell', 'from-cell'])
  if (input === undefined || output === undefined || errors === undefined) throw new Error('makePipes made too few pipes')
  const writer = input.stream
  // The agent may end without reading its input.
  writer.on('error', () => undefined)
  if (stdin === 'none') writer.end()
  else if (stdin !== 'pipe') writer.end(stdin)
  return {
    stdio: [input.cellEnd, output.cellEnd, errors.cellEnd],
    stdin: stdin === 'pipe' ? writer : null,
    stdout: output.stream,
    stderr: errors.stream,
    outputBytes: () => output.stream.bytesRead + errors.stream.bytesRead,
    resize: () => undefined,
  }
}

export function terminalStreams(size: { readonly columns: number; readonly rows: number }): Streams {
  const terminal = openTerminal(size.columns, size.rows)
  const shown = new PassThrough()
  // A terminal whose other side is gone reads as an error (EIO), which is its end of file.
  terminal.stream.on('error', () => shown.end())
  terminal.stream.pipe(shown)
  const input = new PassThrough()
  input.pipe(terminal.stream, { end: false })
  return {
    stdio: [terminal.cellEnd, terminal.cellEnd, terminal.cellEnd],
    stdin: input,
    stdout: shown,
    stderr: new PassThrough().end(),
    outputBytes: () => terminal.stream.bytesRead,
    resize: terminal.resize,
  }
}
