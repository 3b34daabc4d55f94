import { Lines } from '../files/lines.ts'

/** A line of the server that runs commands in a cell (exec-server.pl). */
export type ExecFrame =
  | { readonly type: 'ready' }
  | { readonly type: 'output'; readonly id: string; readonly stream: 'stdout' | 'stderr'; readonly bytes: Buffer }
  | { readonly type: 'exit'; readonly id: string; readonly code: number; readonly signal: number }
  | { readonly type: 'failed'; readonly id: string; readonly why: string }

/** The most bytes of a line. The server reads 64 KiB at once. */
const longest = 256 * 1024

/** Reads the server's output. Any program of the cell can write into it, so that it is hostile: other lines are skipped. */
export class ExecFrames {
  readonly #lines = new Lines(longest)

  /** Returns the frames that the next piece of output completes. @throws Error for a line that is too long */
  read(chunk: Buffer): readonly ExecFrame[] {
    return this.#lines
      .take(chunk)
      .map(frameOf)
      .filter((each) => each !== null)
  }
}

function frameOf(line: string): ExecFrame | null {
  if (line === 'ready') return { type: 'ready' }
  const output = /^(out|err) (\d{1,15}) ((?:[0-9a-f]{2})+)$/.exec(line)
  if (output !== null) {
    const [, name, id = '', digits = ''] = output
    return { type: 'output', id, stream: name === 'out' ? 'stdout' : 'stderr', bytes: Buffer.from(digits, 'hex') }
  }
  const [, ended = '', code, signal] = /^exit (\d{1,15}) (\d{1,3}) (\d{1,3})$/.exec(line) ?? []
  if (ended !== '') return { type: 'exit', id: ended, code: Number(code), signal: Number(signal) }
  const [, failed = '', why = ''] = /^failed (\d{1,15}) ((?:[0-9a-f]{2}){0,1000})$/.exec(line) ?? []
  return failed === '' ? null : { type: 'failed', id: failed, why: Buffer.from(why, 'hex').toString('utf8') }
}
