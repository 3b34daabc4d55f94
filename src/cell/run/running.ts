import { setTimeout } from 'node:timers/promises'
import { monotonicMs } from '../../base/monotonic.ts'
import { isRunning } from '../../system/process-identity.ts'
import { signal } from '../../system/process-tree.ts'
import type { Backend } from '../backend.ts'
import { memoryHeld } from '../resources/memory-held.ts'
import type { CellRecord, CellRegistry } from './cell-registry.ts'

/** A cell of this user, and the memory of its processes in bytes (null: not known). */
export interface RunningCell {
  readonly record: CellRecord
  readonly memoryBytes: number | null
}

type Means = readonly Pick<Backend, 'name' | 'processes'>[]

/** Returns the cells that run now, whichever process started them, oldest first. */
export async function runningCells(registry: Pick<CellRegistry, 'all'>, backends: Means): Promise<readonly RunningCell[]> {
  const found: RunningCell[] = []
  for (const record of registry.all()) {
    if (record.host === null || !(await isRunning(record.host))) continue
    const processes = await processesOf(record, backends)
    found.push({ record, memoryBytes: processes.length === 0 ? null : await memoryHeld(processes, null) })
  }
  return found.sort((a, b) => a.record.startedAt - b.record.startedAt)
}

/** Milliseconds for the process that started a cell to clean up after it. */
const cleanUpMs = 30_000

/**
 * Ends a cell that another process started: TERM, a pause, KILL. The process that started it takes it for cancelled. Resolves to false if that
 * process has not cleaned up in time, for example because it is stopped.
 */
export async function stopRunning(registry: CellRegistry, backends: Means, record: CellRecord, graceMs: number): Promise<boolean> {
  registry.write(record.id, { stopAsked: true })
  const isOver = (): boolean => registry.all().every((each) => each.id !== record.id)
  const until = async (ms: number, isDone: () => Promise<boolean> | boolean): Promise<boolean> => {
    for (const end = monotonicMs() + ms; ; await setTimeout(50)) {
      if (await isDone()) return true
      if (monotonicMs() > end) return false
    }
  }
  const now = async (): Promise<readonly number[]> => processesOf(registry.all().find((each) => each.id === record.id) ?? record, backends)
  const inside = await now()
  // A stopped process receives a SIGTERM only when it is continued (signal(7)).
  for (const each of inside) for (const name of ['SIGTERM', 'SIGCONT'] as const) signal(each, name)
  if (!(await until(graceMs, async () => isOver() || (await now()).length === 0))) for (const each of await now()) signal(each, 'SIGKILL')
  return until(cleanUpMs, isOver)
}

/** Returns the processes of a cell, according to the backend that built it; none if this Paddock does not have that backend. */
async function processesOf({ traces, backend }: CellRecord, backends: Means): Promise<readonly number[]> {
  return (traces && backends.find(({ name }) => name === backend)?.processes(traces)) ?? []
}
