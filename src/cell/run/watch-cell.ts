import { monotonicMs } from '../../base/monotonic.ts'
import { writtenSince } from '../../files/written-since.ts'
import type { BackendCell } from '../backend.ts'
import type { CellPlan } from '../plan/plan.ts'
import { changesIn } from '../plan/toolchains/tool-layers.ts'
import { watchMemory } from './watch-memory.ts'

export type StopReason = 'cancelled' | 'out-of-time' | 'silent' | 'out-of-disk' | 'out-of-memory' | 'output-flood'

/**
 * Watches the limits that the host process enforces: wall time, silence, disk, and memory if the kernel does not limit the cell as a whole.
 * `startedAt`: a time before the cell's start, in milliseconds since the epoch. Returns a function that ends the watch.
 */
export function watch(
  plan: CellPlan,
  runDirectory: string,
  cell: BackendCell,
  startedAt: number,
  stop: (reason: StopReason) => void,
): () => void {
  const timers: NodeJS.Timeout[] = []
  const { timeout, silence, disk, memory } = plan.limits
  if (timeout.value !== null) timers.push(setTimeout(() => stop('out-of-time'), Math.min(timeout.value, 2 ** 31 - 1)))
  if (silence.value !== null) timers.push(watchSilence(silence.value, cell, stop))
  const ended = new AbortController()
  if (disk.value !== null) void watchDisk([...writablePlaces(plan), runDirectory], disk.value, startedAt - clockTickMs, ended.signal, stop)
  if (memory.value !== null && cell.memoryHeld !== undefined)
    void watchMemory(cell.memoryHeld, memory.value, ended.signal, () => stop('out-of-memory'))
  return () => {
    for (const each of timers) clearTimeout(each)
    ended.abort()
  }
}

/** Milliseconds by which a timer is late only if its process was stopped, or the machine slept. */
const stoppedFromMs = 2_000

function watchSilence(limit: number, cell: BackendCell, stop: (reason: StopReason) => void): NodeJS.Timeout {
  const every = Math.max(20, Math.min(1000, limit / 4))
  let seen = cell.outputBytes()
  let since = monotonicMs()
  let last = since
  return setInterval(() => {
    const now = monotonicMs()
    const bytes = cell.outputBytes()
    // If this process was stopped meanwhile, the cell was stopped too.
    if (bytes !== seen || now - last > every + stoppedFromMs) {
      seen = bytes
      since = now
    } else if (now - since >= limit) stop('silent')
    last = now
  }, every)
}

function writablePlaces(plan: CellPlan): readonly string[] {
  return plan.filesystem.flatMap((each) => {
    if (each.kind === 'toolchain') return each.layer === undefined ? [] : [changesIn(each.layer.own)]
    return each.kind === 'bind' && each.access === 'rw' && each.reason !== 'guard' ? [each.source] : []
  })
}

/** Milliseconds by which a change time may be behind clock_gettime(2), because the kernel takes it from its last clock tick. */
const clockTickMs = 10

/**
 * Measures every few seconds how much was written since a time: the blocks of all entries with a later change time, at least one each.
 * Measuring takes at most a twentieth of the time, however large the tree is.
 */
async function watchDisk(
  places: readonly string[],
  limit: number,
  since: number,
  ended: AbortSignal,
  stop: (reason: StopReason) => void,
): Promise<void> {
  let wait = 2000
  while (!ended.aborted) {
    await pause(wait, ended)
    if (ended.aborted) return
    const began = monotonicMs()
    if ((await writtenSince(places, since, limit, ended)) > limit) return stop('out-of-disk')
    wait = Math.max(2000, (monotonicMs() - began) * 20)
  }
}

function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    ended.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
