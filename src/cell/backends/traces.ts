import { rmdirSync } from 'node:fs'
import { codeOf } from '../../base/errors.ts'
import { isRunning, type ProcessIdentity } from '../../system/process-identity.ts'
import { carriersOf, descendants, signal } from '../../system/process-tree.ts'
import type { BackendRequest, CellTraces } from '../backend.ts'

/** Processes and control groups of a cell on this machine. */
type LocalTraces = {
  /** The id of the cell, which is in the environment of the programs that build it (`cellMark`). */
  readonly cell: string
  readonly processes: readonly ProcessIdentity[]
  /** Directories of the control groups. */
  readonly cgroups: readonly string[]
}

/** Records the id of a cell before anything is started for it. Returns a function that adds to the traces. */
export function rememberTraces({
  id,
  remember,
}: Pick<BackendRequest, 'id' | 'remember'>): (more: Partial<Omit<LocalTraces, 'cell'>>) => void {
  let traces: LocalTraces = { cell: id, processes: [], cgroups: [] }
  remember(traces)
  return (more) => {
    traces = { ...traces, ...more }
    remember(traces)
  }
}

/** Ends all processes of a cell whose Paddock was killed, including unrecorded ones, and removes its control groups. */
export async function sweepTraces(traces: CellTraces): Promise<void> {
  const { cell, processes = [], cgroups = [] } = traces as Partial<LocalTraces>
  for (const each of processes) if (await isRunning(each)) signal(each.pid, 'SIGKILL')
  for (const each of processes) for (let tries = 0; tries < 100 && (await isRunning(each)); tries++) await pause(20)
  for (let tries = 0; cell !== undefined && tries < 20 && endCarriers(cell); tries++) await pause(20)
  for (const each of cgroups) for (let tries = 0; tries < 50 && isInUse(each); tries++) await pause(20)
}

/** Returns the processes of a running cell, without those that built it and that wait for its end. */
export async function tracedProcesses(traces: CellTraces): Promise<readonly number[]> {
  const [first, ...others] = (traces as Partial<LocalTraces>).processes ?? []
  if (first === undefined || !(await isRunning(first))) return []
  return process.platform === 'linux' ? descendants(first.pid) : [first, ...others].map((each) => each.pid)
}

/** Ends processes that were started for a cell but not recorded before its Paddock was killed. Returns true if there were any. */
export function endCarriers(id: string): boolean {
  const found = carriersOf(id)
  for (const each of found) signal(each, 'SIGKILL')
  return found.length > 0
}

/** Removes a control group. Returns true if another attempt may succeed. */
function isInUse(directory: string): boolean {
  try {
    rmdirSync(directory)
    return false
  } catch (error) {
    return codeOf(error) === 'EBUSY'
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
