import { closeSync, constants, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ReadStream } from 'node:tty'
import { PaddockError } from '../../errors.ts'

/** The native part of node-pty; its public `spawn` can pass no further descriptors to the child, which a cell needs. */
interface NativePty {
  open(columns: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string }
  resize(master: number, columns: number, rows: number): void
}

/** A pseudo-terminal (pty(7)) whose master the host keeps. */
export interface Terminal {
  /** Both ways: what is typed goes in, what the cell shows comes out. */
  readonly stream: ReadStream
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
    cellEnd,
    resize: (newColumns, newRows) => {
      if (open && newColumns > 0 && newRows > 0) native.resize(master, newColumns, newRows)
    },
  }
}

function loadNative(): NativePty {
  try {
    const load = createRequire(import.meta.url)('@lydell/node-pty/requireBinary.js') as { requireBinary(file: string): NativePty }
    return load.requireBinary('pty.node')
  } catch (cause) {
    throw new PaddockError('UNENFORCEABLE', 'There is no terminal support for this system (node-pty has no binary for it).', {
      hint: 'Give the agent its task with --prompt, or run with standard input that is not a terminal.',
      cause,
    })
  }
}
