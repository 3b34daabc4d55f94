import { fstatSync, type Stats } from 'node:fs'
import { isatty } from 'node:tty'
import type { Cell, CellIo } from '../../cell/cell.ts'
import { interactive } from '../../run/interactive.ts'
import type { OutputGate } from '../terminal/output-gate.ts'
import { shareTerminal } from '../terminal/terminal-output.ts'
import { terminalReset } from '../terminal/terminal-reset.ts'
import { endOnSignals } from './end-on-signals.ts'
import { followStops } from './suspend.ts'

/**
 * Returns the caller's standard input in a form that is safe for the cell: pipes and sockets unchanged; a file as a copy, because an open
 * file can be reopened for writing (/proc/self/fd, proc(5)); a terminal or another device through a relay.
 */
export async function callersInput(): Promise<CellIo['stdin']> {
  let stat: Stats
  try {
    stat = fstatSync(0)
  } catch {
    return 'none'
  }
  if (stat.isFIFO() || stat.isSocket()) return { descriptor: 0 }
  if (!stat.isFile()) return isatty(0) ? 'pipe' : 'none'
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Passes all input and output through unchanged. Returns a function to wait for when the cell has ended. */
export function attachPipes(
  cell: Cell,
  gate: OutputGate,
  { out = process.stdout, firstIs }: { readonly out?: NodeJS.WriteStream; readonly firstIs?: 'interrupt' | 'end' | 'passed' } = {},
): () => Promise<void> {
  shareTerminal()
  const outputs = [gate.pass(cell.stdout, out), gate.pass(cell.stderr, process.stderr)]
  if (cell.stdin !== null) {
    process.stdin.on('error', () => undefined)
    process.stdin.pipe(cell.stdin)
  }
  const unlisten = endOnSignals(cell, firstIs)
  return async () => {
    await Promise.all(outputs)
    resetShared()
    if (cell.stdin !== null) {
      process.stdin.unpipe()
      process.stdin.destroy()
    }
    unlisten()
  }
}

/**
 * Reads the size of the terminal. Node does so on SIGWINCH, which only the foreground job gets. A stopped job has missed it, and its
 * cell must know the size before it continues. Node's function for this is not documented. If it is missing, the signal is sent instead.
 */
function refreshSize(): void {
  const stdout = process.stdout as { _refreshSize?(): void }
  if (stdout._refreshSize === undefined) process.kill(process.pid, 'SIGWINCH')
  else stdout._refreshSize()
}

/** Connects the cell's terminal to the user's: raw input, output and size. Stops both together. */
export function attachTerminal(cell: Cell, firstIs: 'interrupt' | 'passed' = 'interrupt'): () => Promise<void> {
  shareTerminal()
  const take = (): void => {
    process.stdin.setRawMode(true)
    refreshSize()
    cell.resize(process.stdout.columns, process.stdout.rows)
  }
  const giveBack = (): void => {
    resetShared()
    try {
      process.stdin.setRawMode(false)
    } catch {
      // The terminal is gone, or the shell has it again because the parent of Paddock was killed.
    }
  }
  take()
  const detach = interactive(cell, {
    input: process.stdin,
    output: process.stdout,
    onResize(listener) {
      const resized = (): void => listener({ columns: process.stdout.columns, rows: process.stdout.rows })
      process.stdout.on('resize', resized)
      return () => process.stdout.off('resize', resized)
    },
  })
  const unlisten = endOnSignals(cell, firstIs)
  const unfollow = followStops(cell, { giveBack, take })
  return async () => {
    unfollow()
    await detach()
    giveBack()
    process.stdin.destroy()
    unlisten()
  }
}

/** Undoes the changes of the cell's output to the terminal. From here on only Paddock writes there. */
function resetShared(): void {
  if (process.stderr.isTTY === true) process.stderr.write(terminalReset('modes'))
}
