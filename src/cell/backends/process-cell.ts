import type { ProcessIdentity } from '../../system/process-identity.ts'
import { isRunning } from '../../system/process-identity.ts'
import { descendants, freeze, signal } from '../../system/process-tree.ts'
import type { BackendCell, CellRemains } from '../backend.ts'
import type { Connector } from '../network/connector.ts'
import { type CellCgroup, removeGroup } from '../resources/cgroup.ts'
import { memoryHeld } from '../resources/memory-held.ts'
import type { HostStreams } from '../streams/streams.ts'
import { type Enforcement, measured } from './enforcement.ts'
import { isProgramStopped, signalProgram } from './foreground.ts'
import { guardFrozen } from './frozen-guard.ts'
import type { Mounter } from './make-mounts.ts'
import { systemVBytes } from './system-v.ts'

/** A cell whose processes form one PID namespace. */
export interface ProcessCell {
  /** The PID of the init on the host. Its first child is the program, and all processes end with it (pid_namespaces(7)). */
  readonly init: number
  readonly streams: HostStreams
  readonly enforcement: Enforcement
  readonly exited: BackendCell['exited']
  readonly cgroup: CellCgroup | null
  /** The path of Perl. */
  readonly perl: string
  /** Null if the backend renews no mounts. */
  readonly mounter: Mounter | null
  /** Returns the connector to ports inside the cell's network. */
  readonly connector: () => Connector
  readonly traffic?: () => CellRemains['traffic']
  readonly discarded?: () => readonly string[]
  readonly hostFile: NonNullable<BackendCell['hostFile']>
}

/** Returns the cell with the interface of a backend's cells. */
export function processCell(cell: ProcessCell): BackendCell {
  const { init, streams, enforcement, exited, cgroup, perl, mounter } = cell
  let connections: Connector | null = null
  let frozen: readonly number[] = []
  let unguard = (): void => undefined
  const isMeasured = enforcement.limits.some((each) => each.limit === 'memory' && each.mechanism === measured)
  return {
    stdin: streams.stdin,
    stdout: streams.stdout,
    stderr: streams.stderr,
    exited,
    limits: enforcement.limits,
    ...(isMeasured ? { memoryHeld: () => heldBy(init, perl) } : {}),
    ...(mounter === null ? {} : { keepMounts: mounter.keep }),
    hostFile: cell.hostFile,
    resize: streams.resize,
    outputBytes: streams.outputBytes,
    interrupt: () => signalProgram(init, 'SIGINT'),
    isStopped: async () => isProgramStopped(init),
    freeze: async () => {
      const stopped = freeze(init)
      if (stopped === null) return false
      frozen = stopped
      unguard = guardFrozen(perl, init)
      return true
    },
    goOn: async () => {
      unguard()
      for (const each of frozen) signal(each, 'SIGCONT')
      frozen = []
      signalProgram(init, 'SIGCONT')
    },
    terminate: () => {
      const inside = descendants(init)
      // A stopped process receives a SIGTERM only when it is continued (signal(7)).
      for (const each of inside) for (const name of ['SIGTERM', 'SIGCONT'] as const) signal(each, name)
    },
    kill: () => {
      // The kernel ends a PID namespace together with its init (pid_namespaces(7)). The programs that started it then end too.
      signal(init, 'SIGKILL')
    },
    connectInside: async (port) => {
      connections ??= cell.connector()
      return await connections.connect(port)
    },
    close: async () => {
      connections?.close()
      const remains = {
        oomKilled: (cgroup?.oomKills() ?? 0) > 0,
        cpuMs: cgroup?.cpuMs() ?? null,
        peakMemoryBytes: cgroup?.peakMemoryBytes() ?? null,
        traffic: cell.traffic?.() ?? null,
        discarded: cell.discarded?.() ?? [],
      }
      await removeGroup(cgroup)
      return remains
    },
  }
}

/** Kills the init of a cell. Resolves when the kernel has ended every process with it. */
export async function endInit(init: ProcessIdentity): Promise<void> {
  signal(init.pid, 'SIGKILL')
  for (let wait = 1; await isRunning(init); wait = Math.min(wait * 2, 50)) await new Promise((resolve) => setTimeout(resolve, wait))
}

/** Returns the memory of the init of a cell and all its descendants, in bytes. */
async function heldBy(init: number, perl: string): Promise<number> {
  return memoryHeld([init, ...descendants(init)], await systemVBytes(perl, init))
}
