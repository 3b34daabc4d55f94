import type { Readable, Writable } from 'node:stream'
import type { EgressGateway } from '../egress/gateway.ts'
import type { CellTraffic } from '../egress/summary.ts'
import type { CellIo } from './cell.ts'
import type { BackendLook } from './look.ts'
import type { LimitInForce } from './plan/limits.ts'
import type { CellPlan } from './plan/plan.ts'
import type { Posture } from './plan/posture.ts'

/** Carries out plans on this machine. */
export interface Backend {
  readonly name: string
  /** The isolation level of its cells. */
  readonly posture: Posture
  /** What every command that relies on it prints first; absent if there is nothing to warn of. */
  readonly caution?: string
  /** Returns what this machine has for it, and what is missing. */
  look(): Promise<BackendLook>
  /** Rejects with `UNENFORCEABLE` if a line of the plan cannot be carried out here. */
  start(request: BackendRequest): Promise<BackendCell>
  /** Ends and removes what a cell left whose Paddock was killed, by the traces that `start` had remembered last. */
  sweep(traces: CellTraces): Promise<void>
}

/** What `launch()` hands to a backend. */
export interface BackendRequest {
  readonly id: string
  readonly plan: CellPlan
  readonly io: CellIo
  /** A directory on the host that belongs only to this cell, 0700, removed afterwards. */
  readonly runDirectory: string
  readonly gateway: CellGateway
  /** Called with all that must be cleaned up after a crash, before it is made; each time it replaces what was remembered before. */
  readonly remember: (traces: CellTraces) => void
  /** Runs what puts these inert entries on the host: they are remembered before and known after, and no cell that ends takes one away meanwhile. */
  readonly place: (ghosts: readonly string[], make: () => void) => void
}

/** The cell's only way out: says what it wants to listen on inside the cell (nothing: no network at all), and serves what is opened for it. */
export type CellGateway = Pick<EgressGateway, 'wishes' | 'serve' | 'serveProxy'>

/**
 * What a cell leaves on the host while it runs, as JSON in its record, so that a crash of Paddock loses none of it. Only the backend that
 * wrote it reads it.
 */
export type CellTraces = Readonly<Record<string, unknown>>

/** A process tree that a backend started. */
export interface BackendCell {
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  /** Once all processes are gone. `code` is the agent's exit code, 128 + n for signal n; null: it never started. */
  readonly exited: Promise<{ readonly code: number | null; readonly setupError: string }>
  readonly limits: readonly LimitInForce[]
  /** Returns the bytes of memory that its processes hold together; absent if the kernel limits the cell as a whole, or nothing does. */
  readonly memoryHeld?: () => Promise<number>
  /** Bytes that the cell has put out so far. */
  outputBytes(): number
  resize(columns: number, rows: number): void
  /** See `Cell`. */
  interrupt(): void
  isStopped(): boolean
  freeze(): boolean
  goOn(): void
  /** Asks every process of the cell to end (SIGTERM). */
  terminate(): void
  /** Ends every process of the cell (SIGKILL). */
  kill(): void
  /** After the exit; frees what the cell held on the host. */
  close(): Promise<CellRemains>
  /** Connects to a TCP port inside the cell's network (for `--publish`). */
  connectInside(port: number): Promise<import('node:net').Socket>
}

/** What a cell used, as the kernel counted it. Null if nothing counts it. */
export interface CellRemains {
  readonly oomKilled: boolean
  readonly cpuMs: number | null
  readonly peakMemoryBytes: number | null
  /** Null if the gateway was the cell's only way out. */
  readonly traffic: CellTraffic | null
}
