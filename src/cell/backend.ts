import type { Duplex, Readable, Writable } from 'node:stream'
import type { BackendFacts } from '../base/cell-place.ts'
import type { EgressGateway } from '../egress/cell-gateway.ts'
import type { CellTraffic } from '../egress/egress-summary.ts'
import type { BackendLook } from './backend-facts.ts'
import type { CellIo } from './cell.ts'
import type { LimitInForce } from './plan/cell-limits.ts'
import type { CellPlan } from './plan/plan.ts'

/** Builds and runs cells from plans on this machine. */
export interface Backend extends BackendFacts {
  /** True if its cells can have `link` entries. */
  readonly mountsLinks?: boolean
  /** False if it cannot pass a caller's descriptor on as standard input, for example to another machine. Paddock then copies the bytes. */
  readonly passesDescriptors?: false
  /** A warning that every command prints before it uses this backend. Absent if there is nothing to warn about. */
  readonly caution?: string
  /** Returns what this machine provides for the backend, and what is missing. */
  look(): Promise<BackendLook>
  /** Starts a cell. Rejects with `UNENFORCEABLE` if a line of the plan cannot be carried out here. */
  start(request: BackendRequest): Promise<BackendCell>
  /** Ends and removes what remains of a cell whose Paddock was killed, using the traces that `start` last remembered. */
  sweep(traces: CellTraces): Promise<void>
  /** Returns the processes of a running cell, whichever process started it, from the traces that `start` last remembered. */
  processes(traces: CellTraces): Promise<readonly number[]>
}

/** The arguments that `launch()` passes to a backend. */
export interface BackendRequest {
  readonly id: string
  readonly plan: CellPlan
  readonly io: CellIo
  /** A directory on the host that belongs only to this cell. Its mode is 0700, and it is removed at the end. */
  readonly runDirectory: string
  readonly gateway: CellGateway
  /** Records everything that must be cleaned up after a crash. Called before it is created. Each call replaces the previous traces. */
  readonly remember: (traces: CellTraces) => void
  /**
   * Runs the function that creates these inert entries on the host. The entries are recorded before and after it, and no ending cell
   * removes one meanwhile.
   */
  readonly place: (inertPaths: readonly string[], make: () => void) => void
}

/** The cell's only way out. Returns the listeners that it needs inside the cell (none without a network), and serves them once opened. */
export type CellGateway = Pick<EgressGateway, 'wishes' | 'serve' | 'serveProxy'>

/**
 * The traces of a running cell on the host, as JSON in its record, so that they can be cleaned up after a crash of Paddock. Only the
 * backend that wrote them reads them.
 */
export type CellTraces = Readonly<Record<string, unknown>>

/** A process tree that a backend started. */
export interface BackendCell {
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when all processes are gone. `code` is the agent's exit code, 128 + n for signal n, or null if it never started. */
  readonly exited: Promise<{ readonly code: number | null; readonly setupError: string }>
  readonly limits: readonly LimitInForce[]
  /** Returns the memory of the cell's processes in bytes. Absent if the kernel limits the cell as a whole, or if there is no limit. */
  readonly memoryHeld?: () => Promise<number>
  /**
   * Renews these mounts whenever a program of the host removes or replaces their paths, because the kernel drops them then. Parents come
   * first. Returns a function that ends it. Absent if the backend cannot do that.
   */
  readonly keepMounts?: (mounts: readonly KeptMount[], events: MountEvents) => () => void
  /**
   * Returns the path on the host of the plan's `file` with this target, through which the host can append to what the cell reads. Null if the
   * plan has no such file. Absent if the backend cannot do that.
   */
  readonly hostFile?: (target: string) => string | null
  /** Returns the number of bytes that the cell has output so far. */
  outputBytes(): number
  resize(columns: number, rows: number): void
  /** This method and the next three do the same as those of `Cell`. */
  interrupt(): void
  isStopped(): Promise<boolean>
  freeze(): Promise<boolean>
  goOn(): Promise<void>
  /** Asks every process of the cell to end (SIGTERM). */
  terminate(): void
  /** Ends every process of the cell (SIGKILL). */
  kill(): void
  /** Frees the cell's resources on the host. Called after the exit. */
  close(): Promise<CellRemains>
  /** Connects to a TCP port inside the cell's network (for `--publish`). */
  connectInside(port: number): Promise<Duplex>
}

/** A mount that must not disappear while a cell runs. */
export interface KeptMount {
  /** The path in the cell. */
  readonly target: string
  /** `mask`: hides the path. It cannot be renewed. */
  readonly access: 'ro' | 'rw' | 'mask'
}

export interface MountEvents {
  /** Called after a mount was renewed, with its path in the cell. The cell may have written to the path before. */
  readonly renewed: (target: string) => void
  /** Called if a mount cannot be renewed, so that the cell can write to the path. */
  readonly lost: (target: string) => void
}

/** The resources that a cell used, as counted by the kernel. Null if they were not counted. */
export interface CellRemains {
  /** Paths in the cell of files that it changed in its private copies (`copy` entries of the plan). Absent if there are none. */
  readonly discarded?: readonly string[]
  readonly oomKilled: boolean
  readonly cpuMs: number | null
  readonly peakMemoryBytes: number | null
  /** Traffic over the cell's own network interface. Null if the gateway was the cell's only way out. */
  readonly traffic: CellTraffic | null
}
