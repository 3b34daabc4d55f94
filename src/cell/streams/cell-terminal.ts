import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Writable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { codeOf, PaddockError } from '../../base/errors.ts'

/** The native part of node-pty. Its public `spawn` cannot pass additional descriptors to the child, which a cell needs. */
interface NativePty {
  open(columns: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string }
  resize(master: number, columns: number, rows: number): void
}

/** A pseudo-terminal (pty(7)). The host keeps the master. */
export interface Terminal {
  /** The cell's output. User input is written to `input`. */
  readonly stream: ReadStream
  /** Accepts only as much as the program reads, without blocking other work. After the end it accepts and discards everything. */
  readonly input: Writable
  /** The descriptor for the cell's standard streams. Close it after the spawn. */
  readonly cellEnd: number
  resize(columns: number, rows: number): void
}

export function openTerminal(columns: number, rows: number): Terminal {
  const native = loadNative()
  const { master, slave, pty } = native.open(columns, rows)
  // The library opens the slave in non-blocking mode, which programs do not expect of a terminal, so it is opened again.
  const cellEnd = openSync(pty, constants.O_RDWR | constants.O_NOCTTY)
  closeSync(slave)
  const stream = new (process.getBuiltinModule('node:tty').ReadStream)(master)
  let open = true
  stream.once('close', () => {
    open = false
  })
  return {
    stream,
    input: inputOf(master, () => open),
    cellEnd,
    resize: (newColumns, newRows) => {
      if (open && newColumns > 0 && newRows > 0) native.resize(master, newColumns, newRows)
    },
  }
}

/** Milliseconds until a write is retried if the program has not read. */
const retryMs = 10

/**
 * Returns a stream that writes to the master without blocking. The stream of node:tty would block: libuv writes to a terminal until
 * everything is accepted, so a program that reads nothing would block the process (UV_HANDLE_BLOCKING_WRITES in uv_tty_init).
 */
function inputOf(master: number, isOpen: () => boolean): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const writeFrom = (at: number): void => {
        if (!isOpen() || at >= chunk.length) return done()
        try {
          const written = writeSync(master, chunk, at)
          setImmediate(writeFrom, at + written)
        } catch (error) {
          if (codeOf(error) !== 'EAGAIN') return done()
          setTimeout(writeFrom, retryMs, at)
        }
      }
      writeFrom(0)
    },
  })
}

function loadNative(): NativePty {
  try {
    const load = createRequire(import.meta.url)('@lydell/node-pty/requireBinary.js') as { requireBinary(file: string): NativePty }
    return load.requireBinary('pty.node')
  } catch (cause) {
    throw new PaddockError('UNENFORCEABLE', 'There is no terminal support for this system (node-pty has no binary for it).', {
      hint: 'Give the agent its task with --prompt, or run with standard input that is not a terminal',
      cause,
    })
  }
}
