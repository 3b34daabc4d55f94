import type { Readable, Writable } from 'node:stream'
import type { CellReport } from './report.ts'

/** What the caller gives a cell to read and takes from it. */
export interface CellIo {
  /**
   * `pipe`: the caller writes `Cell.stdin`. `none`: end of file at once. A buffer: its bytes, then end of file. A descriptor of the caller:
   * passed on as it is, so it must be a pipe or a socket (the cell could open any other again, for writing).
   */
  readonly stdin: 'pipe' | 'none' | Uint8Array | { readonly descriptor: number }
  /** With a terminal: its first size. */
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
  /** Resolves once everything of the cell is gone; never rejects. */
  readonly done: Promise<CellReport>
  /** Ends the whole tree: TERM, a pause, KILL. Idempotent. */
  stop(reason: 'cancelled' | 'out-of-time' | 'silent' | 'out-of-disk' | 'output-flood'): void
  /** Sends SIGINT to the process group in the foreground of the cell's terminal, or else to that of its program: what Ctrl-C does in a terminal. */
  interrupt(): void
  /** Ends the whole tree by SIGKILL, without a pause; `cancelled` unless it was already ending for another reason. Idempotent. */
  kill(): void
  /** Whether the program of the cell is stopped while it is in the foreground of the cell's terminal: what a shell would report as stopped. */
  isStopped(): boolean
  /** Stops every process of the cell that runs (SIGSTOP). False, and nothing is stopped, if new ones keep coming. */
  freeze(): boolean
  /** Continues what `freeze` stopped, and the stopped program with its process group. */
  goOn(): void
  /** Tells the terminal its new size. */
  resize(columns: number, rows: number): void
  /** Connects to a TCP port of the cell's own loopback (for `--publish`). */
  connectInside(port: number): Promise<import('node:net').Socket>
}

/** Carries a plan out. Rejects with a `PaddockError` (`UNENFORCEABLE`, `CELL_FAILED`) when the cell cannot start. */
export type StartCell = (spec: import('./plan/spec.ts').CellSpec, io: CellIo, signal?: AbortSignal) => Promise<Cell>
