import type { Duplex, Readable, Writable } from 'node:stream'
import type { OnModelCall } from '../egress/model-calls.ts'
import type { CellReport } from './report.ts'

export type { ModelCall } from '../egress/model-calls.ts'

/** The caller's input and output for a cell. */
export interface CellIo {
  /**
   * `pipe`: the caller writes `Cell.stdin`. `none`: end of file at once. A buffer: its bytes, then end of file. A caller's descriptor is
   * passed on unchanged, so it must be a pipe or a socket, because the cell could open anything else again for writing.
   */
  readonly stdin: 'pipe' | 'none' | Uint8Array | { readonly descriptor: number }
  /**
   * Called when the cell starts or stops waiting for its private home, with the reason (a sentence). Absent: it does not wait, and its start
   * is refused.
   */
  readonly onWait?: (isWaiting: boolean, why: string) => void
  /** Called with each finished call of a model API for which the cell has a credential. */
  readonly onModelCall?: OnModelCall
  /** The initial size of the terminal. */
  readonly size?: { readonly columns: number; readonly rows: number }
}

/** A running cell. */
export interface Cell {
  readonly id: string
  /** Notes about the start for the user, one sentence each. */
  readonly notes?: readonly string[]
  /** The cell's standard input. Null unless `io.stdin` is `pipe` or the cell has a terminal. */
  readonly stdin: Writable | null
  /** The cell's standard output; with a terminal, all output. The caller must read it, because back-pressure reaches the agent. */
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when everything that belongs to the cell is gone. Never rejects. */
  readonly done: Promise<CellReport>
  /** Ends the whole process tree: TERM, a pause, KILL. Idempotent. */
  stop(reason: 'cancelled' | 'out-of-time' | 'silent' | 'out-of-disk' | 'output-flood'): void
  /** Sends SIGINT to the foreground process group of the cell's terminal, or without a terminal to that of its program, like Ctrl-C. */
  interrupt(): void
  /** Ends the whole process tree with SIGKILL, without a pause. The reason is `cancelled` unless the cell is already ending. Idempotent. */
  kill(): void
  /** Resolves to true if the cell's program is stopped in the foreground of the cell's terminal, so that a shell would report it as stopped. */
  isStopped(): Promise<boolean>
  /** Stops every running process of the cell (SIGSTOP). If new processes keep appearing, stops none and resolves to false. */
  freeze(): Promise<boolean>
  /** Continues the processes that `freeze` stopped, and the stopped program with its process group. */
  goOn(): Promise<void>
  /** Sets the size of the terminal. */
  resize(columns: number, rows: number): void
  /** Connects to a TCP port of the cell's own loopback (for `--publish`). */
  connectInside(port: number): Promise<Duplex>
}

/** Starts a cell. Rejects with a `PaddockError` (`UNENFORCEABLE`, `CELL_FAILED`) if it cannot start. */
export type StartCell = (spec: import('./plan/spec.ts').CellSpec, io: CellIo, signal?: AbortSignal) => Promise<Cell>
