import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Writable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { PaddockError } from '../../errors.ts'

/** The native part of node-pty; its public `spawn` can pass no further descriptors to the child, which a cell needs. */
interface NativePty {
  open(columns: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string }
  resize(master: number, columns: number, rows: number): void
}

/** A pseudo-terminal (pty(7)) whose master the host keeps. */
export interface Terminal {
  /** What the cell shows. What is typed goes into `input`. */
  readonly stream: ReadStream
  /** Takes no more than the program reads, and holds up nothing else meanwhile. After the end it takes everything, for nobody. */
  readonly input: Writable
  /** To pass to the cell as its standard streams, then to close. */
  readonly cellEnd: number
  resize(columns: number, rows: number): void
}

export function openTerminal(columns: number, rows: number): Terminal {
  const native = loadNative()
  const { master, slave, pty } = native.open(columns, rows)
  // The slave that the library opens does not block, which programs do not expect of a terminal; so open it anew.
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

/** Milliseconds until a terminal whose program did not read is tried again. */
const retryMs = 10

/**
 * Writes to the master, which does not block. The stream of node:tty would: libuv writes to a terminal until it took everything, so a program that
 * reads nothing stopped the process (UV_HANDLE_BLOCKING_WRITES in uv_tty_init).
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
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return done()
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
