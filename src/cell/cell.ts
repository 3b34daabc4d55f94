import type { Readable, Writable } from 'node:stream'
import type { CellReport } from './report.ts'

/** The caller's input and output for a cell. */
export interface CellIo {
  /**
   * `pipe`: the caller writes `Cell.stdin`. `none`: end of file at once. A buffer: its bytes, then end of file. A descriptor of the caller:
   * passed on unchanged, so it must be a pipe or a socket (the cell could open anything else again for writing).
   */
  readonly stdin: 'pipe' | 'none' | Uint8Array | { readonly descriptor: number }
  /** The initial size of the terminal. */
  readonly size?: { readonly columns: number; readonly rows: number }
}

/** A running cell. */
export interface Cell {
  readonly id: string
  /** Null unless `io.stdin` is `pipe` or the cell has a terminal. */
  readonly stdin: Writable | null
  /** Must be consumed: back-pressure reaches the agent. With a terminal, all output comes here. */
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when everything of the cell is gone. Never rejects. */
  readonly done: Promise<CellReport>
  /** Ends the whole process tree: TERM, a pause, KILL. Idempotent. */
  stop(reason: 'cancelled' | 'out-of-time' | 'silent' | 'out-of-disk' | 'output-flood'): void
  /** Sends SIGINT to the foreground process group of the cell's terminal, or without a terminal to that of its program, like Ctrl-C. */
  interrupt(): void
  /** Ends the whole process tree with SIGKILL, without a pause. The reason is `cancelled` unless it is already ending. Idempotent. */
  kill(): void
  /** Returns true if the program of the cell is stopped in the foreground of the cell's terminal, which a shell would report as stopped. */
  isStopped(): boolean
  /** Stops every running process of the cell (SIGSTOP). Returns false, and stops nothing, if new ones keep appearing. */
  freeze(): boolean
  /** Continues the processes that `freeze` stopped, and the stopped program with its process group. */
  goOn(): void
  /** Sets the size of the terminal. */
  resize(columns: number, rows: number): void
  /** Connects to a TCP port of the cell's own loopback (for `--publish`). */
  connectInside(port: number): Promise<import('node:net').Socket>
}

/** Starts a cell. Rejects with a `PaddockError` (`UNENFORCEABLE`, `CELL_FAILED`) if it cannot start. */
export type StartCell = (spec: import('./plan/spec.ts').CellSpec, io: CellIo, signal?: AbortSignal) => Promise<Cell>
