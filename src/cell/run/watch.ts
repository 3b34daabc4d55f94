import { closeSync, type Stats } from 'node:fs'
import { type WalkEntry, WalkTooLarge, walk } from '../../files/walk.ts'
import { monotonicMs } from '../../monotonic.ts'
import type { BackendCell } from '../backend.ts'
import type { CellPlan } from '../plan/plan.ts'
import { watchMemory } from './watch-memory.ts'

export type StopReason = 'cancelled' | 'out-of-time' | 'silent' | 'out-of-disk' | 'out-of-memory' | 'output-flood'

/** Watches the limits that the host process holds itself: wall time, silence, disk, and memory where the kernel does not limit the cell as a whole. Returns what ends the watch. */
export function watch(plan: CellPlan, cell: BackendCell, stop: (reason: StopReason) => void): () => void {
  const timers: NodeJS.Timeout[] = []
  const { timeout, silence, disk, memory } = plan.limits
  if (timeout.value !== null) timers.push(setTimeout(() => stop('out-of-time'), Math.min(timeout.value, 2 ** 31 - 1)))
  if (silence.value !== null) timers.push(watchSilence(silence.value, cell, stop))
  const ended = new AbortController()
  if (disk.value !== null) void watchDisk(writablePlaces(plan), disk.value, ended.signal, stop)
  if (memory.value !== null && cell.memoryHeld !== undefined)
    void watchMemory(cell.memoryHeld, memory.value, ended.signal, () => stop('out-of-memory'))
  return () => {
    for (const each of timers) clearTimeout(each)
    ended.abort()
  }
}

/** Milliseconds that a timer is late by only when its process was stopped, or the machine slept. */
const stoppedFromMs = 2_000

function watchSilence(limit: number, cell: BackendCell, stop: (reason: StopReason) => void): NodeJS.Timeout {
  const every = Math.max(20, Math.min(1000, limit / 4))
  let seen = cell.outputBytes()
  let since = monotonicMs()
  let last = since
  return setInterval(() => {
    const now = monotonicMs()
    const bytes = cell.outputBytes()
    // If this process was stopped meanwhile, so was the cell.
    if (bytes !== seen || now - last > every + stoppedFromMs) {
      seen = bytes
      since = now
    } else if (now - since >= limit) stop('silent')
    last = now
  }, every)
}

function writablePlaces(plan: CellPlan): readonly string[] {
  return plan.filesystem.flatMap((each) => (each.kind === 'bind' && each.access === 'rw' && each.reason !== 'guard' ? [each.source] : []))
}

/**
 * Measures what was written since the start every few seconds: the blocks of all entries whose change time is later, at least one of each.
 * A look takes at most a twentieth of the time, however large the tree.
 */
async function watchDisk(places: readonly string[], limit: number, ended: AbortSignal, stop: (reason: StopReason) => void): Promise<void> {
  const since = Date.now()
  let wait = 2000
  while (!ended.aborted) {
    await pause(wait, ended)
    if (ended.aborted) return
    const began = monotonicMs()
    if ((await writtenSince(places, since, limit, ended)) > limit) return stop('out-of-disk')
    wait = Math.max(2000, (monotonicMs() - began) * 20)
  }
}

async function writtenSince(places: readonly string[], since: number, limit: number, ended: AbortSignal): Promise<number> {
  const measure: Measure = { since, limit, ended, bytes: 0 }
  for (const place of places) {
    try {
      await addWritten(place, measure, mostStages)
    } catch (error) {
      // So many files are over any limit; a place that went away holds nothing.
      if (error instanceof WalkTooLarge) return Number.POSITIVE_INFINITY
    }
  }
  return measure.bytes
}

interface Measure {
  readonly since: number
  readonly limit: number
  readonly ended: AbortSignal
  bytes: number
}

/** What a name and an inode take on the disk besides the blocks of a file: an empty file counts as much as one with a byte in it. */
const leastOfEntry = 4096
const mostDepth = 190
/** A walk holds descriptors of each level, so below its depth another one begins. */
const mostStages = 4

/** What cannot be measured counts as over any limit: a cell could otherwise hide there what it writes. */
async function addWritten(place: string, measure: Measure, stages: number): Promise<void> {
  for await (const entry of walk(place, { maxEntries: 1_000_000, maxDepth: mostDepth })) {
    if (measure.ended.aborted || measure.bytes > measure.limit) return
    if (entry.notEntered !== undefined && entry.names.length > mostDepth) await addBelow(entry, measure, stages - 1)
    else if (entry.notEntered !== undefined && (/E[MN]FILE/.test(entry.notEntered) || isClosedByCell(entry, measure.since)))
      measure.bytes = Number.POSITIVE_INFINITY
    const stat = statOf(entry)
    if (stat !== null && stat.ctimeMs >= measure.since) measure.bytes += Math.max(leastOfEntry, stat.blocks * 512)
  }
}

async function addBelow(entry: WalkEntry, measure: Measure, stages: number): Promise<void> {
  if (stages === 0 || process.platform !== 'linux') {
    measure.bytes = Number.POSITIVE_INFINITY
    return
  }
  let directory: number
  try {
    directory = entry.open()
  } catch {
    if (isClosedByCell(entry, measure.since)) measure.bytes = Number.POSITIVE_INFINITY
    return
  }
  try {
    await addWritten(`/proc/self/fd/${directory}/.`, measure, stages)
  } finally {
    closeSync(directory)
  }
}

/** One that was closed to the host process during the cell, or that may be written to without being read. Others the cell cannot enter either. */
function isClosedByCell(entry: WalkEntry, since: number): boolean {
  const stat = statOf(entry)
  if (stat === null || !stat.isDirectory()) return false
  return stat.uid === process.getuid?.() && (stat.mode & 0o400) === 0 && (stat.ctimeMs >= since || (stat.mode & 0o300) === 0o300)
}

/** Null where it is gone. */
function statOf(entry: WalkEntry): Stats | null {
  try {
    return entry.lstat()
  } catch {
    return null
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
