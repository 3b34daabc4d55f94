import type { Socket as DatagramSocket } from 'node:dgram'
import type { Server } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { ListenerWish } from '../../egress/gateway.ts'
import type { CellTraffic } from '../../egress/summary.ts'
import type { ProcessIdentity } from '../../files/process-identity.ts'
import type { CellIo } from '../cell.ts'
import type { LimitInForce } from '../plan/limits.ts'
import type { CellPlan } from '../plan/plan.ts'

/** What `launch()` hands to a backend. */
export interface BackendRequest {
  readonly id: string
  readonly plan: CellPlan
  readonly io: CellIo
  /** A directory of this cell alone on the host, 0700, removed afterwards. */
  readonly runDirectory: string
  /** What the gateway wants to listen on inside the cell, and who serves it. Empty: no network at all. */
  readonly listeners: readonly ListenerWish[]
  readonly serve: (wish: ListenerWish, handle: Server | DatagramSocket) => void
  /** Serves the gateway as a forward proxy for who has the token: for backends without a network of the cell's own. */
  readonly serveProxy?: (server: Server, token: string) => void
  /** Called with what must be cleaned up after a crash, before it is made. */
  readonly remember: (traces: Partial<CellTraces>) => void
  /** Runs what puts these inert entries on the host: they are remembered before and known after, and no cell that ends takes one away meanwhile. */
  readonly place: (ghosts: readonly string[], make: () => void) => void
}

/** What a cell leaves on the host while it runs; kept in the registry so that a crash of Paddock loses none of it. */
export interface CellTraces {
  readonly processes: readonly ProcessIdentity[]
  readonly cgroups: readonly string[]
  readonly ghosts: readonly string[]
}

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

/** What a cell came to, as the kernel counted it. Null where nobody counts. */
export interface CellRemains {
  readonly oomKilled: boolean
  readonly cpuMs: number | null
  readonly peakMemoryBytes: number | null
  /** Null where the cell had no way out but the gateway. */
  readonly traffic: CellTraffic | null
}

export interface Backend {
  readonly name: string
  /** Rejects with `UNENFORCEABLE` where a line of the plan cannot be carried out here. */
  start(request: BackendRequest): Promise<BackendCell>
}
