import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import path from 'node:path'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import type { CellIo } from '../cell.ts'
import { openTerminal } from './cell-terminal.ts'
import { makePipes, openPipeOf } from './pipes.ts'

/** The host's ends of the standard streams of a cell. */
export interface HostStreams {
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  outputBytes(): number
  /** Ends the output once the pipes are drained, even if another process still holds them. Called when all processes are gone. */
  finish(): void
  resize(columns: number, rows: number): void
}

/** The descriptors for the cell's ends of the streams. */
export interface Given<Descriptor> {
  readonly stdio: readonly [Descriptor, Descriptor, Descriptor]
  readonly closeAfterSpawn: readonly number[]
}

export type Streams = HostStreams & Given<number>

/** Closes streams that were not passed to a cell. */
export function abandon(given: Given<number | 'ignore'>, streams: HostStreams | null): void {
  for (const each of given.closeAfterSpawn) closeSync(each)
  drop(streams)
}

/** Closes streams after the cell has received its descriptors. */
export function drop(streams: HostStreams | null): void {
  for (const each of [streams?.stdin, streams?.stdout, streams?.stderr]) each?.destroy()
}

export async function pipeStreams(mkfifo: string, directory: string, stdin: CellIo['stdin']): Promise<Streams> {
  const [output, errors, input] = await makePipes(mkfifo, directory, [
    'from-cell',
    'from-cell',
    ...(stdin === 'pipe' ? ['to-cell' as const] : []),
  ])
  if (output === undefined || errors === undefined) throw new Error('makePipes made too few pipes')
  const read = input?.cellEnd ?? inputDescriptor(stdin, directory)
  return {
    stdio: [read, output.cellEnd, errors.cellEnd],
    closeAfterSpawn: [...(typeof stdin === 'object' && 'descriptor' in stdin ? [] : [read]), output.cellEnd, errors.cellEnd],
    ...hostStreams(input?.stream ?? null, output.stream, errors.stream),
  }
}

/** Returns the descriptors for a cell whose first program creates the pipes itself. `openInnerPipes` opens them later. */
export function innerPipes(stdin: CellIo['stdin'], directory: string): Given<number | 'ignore'> {
  const read = stdin === 'pipe' ? 'ignore' : inputDescriptor(stdin, directory)
  const isOwn = read !== 'ignore' && !(typeof stdin === 'object' && 'descriptor' in stdin)
  return { stdio: [read, 'ignore', 'ignore'], closeAfterSpawn: isOwn ? [read] : [] }
}

/** Opens the pipes of a waiting process of a cell for standard output, for `errors` and, if `stdin` is `pipe`, for standard input. */
export function openInnerPipes(pid: number, errors: number, stdin: CellIo['stdin']): HostStreams {
  const input = stdin === 'pipe' ? openPipeOf(pid, 0, 'to-cell') : null
  return hostStreams(input, openPipeOf(pid, 1, 'from-cell'), openPipeOf(pid, errors, 'from-cell'))
}

function hostStreams(stdin: Socket | null, stdout: Socket, stderr: Socket): HostStreams {
  // The agent may end without reading its input.
  stdin?.on('error', () => undefined)
  return {
    stdin,
    stdout,
    stderr,
    outputBytes: () => stdout.bytesRead + stderr.bytesRead,
    finish: () => {
      for (const each of [stdout, stderr]) endWhenDrained(each)
    },
    resize: () => undefined,
  }
}

/** Returns a descriptor for the input. Known input is an unlinked file, so that opening /dev/stdin works and never waits for a writer. */
function inputDescriptor(stdin: CellIo['stdin'], directory: string): number {
  if (stdin === 'pipe' || stdin === 'none') return openSync('/dev/null', 'r')
  if ('descriptor' in stdin) return stdin.descriptor
  const file = path.join(directory, 'stdin')
  writeFileSync(file, stdin, { mode: 0o444 })
  const descriptor = openSync(file, 'r')
  unlinkSync(file)
  return descriptor
}

export function terminalStreams(size: { readonly columns: number; readonly rows: number }): Streams {
  const terminal = openTerminal(size.columns, size.rows)
  const shown = new PassThrough()
  // Reading a terminal whose other end is closed fails with EIO, which means end of file.
  terminal.stream.on('error', () => shown.end())
  terminal.stream.pipe(shown)
  const input = new PassThrough()
  input.pipe(terminal.input)
  return {
    stdio: [terminal.cellEnd, terminal.cellEnd, terminal.cellEnd],
    closeAfterSpawn: [terminal.cellEnd],
    stdin: input,
    stdout: shown,
    stderr: new PassThrough().end(),
    outputBytes: () => terminal.stream.bytesRead,
    // The terminal of a cell ends with its last process.
    finish: () => undefined,
    resize: terminal.resize,
  }
}

/** Ends a stream when nothing has arrived for half a second while the reader was ready. */
function endWhenDrained(stream: Socket): void {
  if (stream.closed) return
  let seen = stream.bytesRead
  let quiet = 0
  const timer = setInterval(() => {
    if (stream.destroyed || stream.readableEnded) return clearInterval(timer)
    const waiting = stream.readableFlowing !== true || stream.readableLength > 0
    quiet = waiting || stream.bytesRead !== seen ? 0 : quiet + 1
    seen = stream.bytesRead
    if (quiet < 5) return
    clearInterval(timer)
    stream.push(null)
  }, 100)
  stream.once('close', () => clearInterval(timer))
}
