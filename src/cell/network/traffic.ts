import { closeSync, openSync, readSync } from 'node:fs'
import type { CellTraffic } from '../../egress/egress-summary.ts'

/** Counts the traffic on the interfaces of one network namespace. */
export interface TrafficCounter {
  /** Returns the traffic so far; null if the counters cannot be read. */
  read(): CellTraffic | null
  /** Reads the counters for the last time. From then on `read` returns this value. An interface's counters disappear with the interface. */
  hold(): void
  close(): void
}

/**
 * Opens the kernel's counters for a process's network, without loopback (proc_pid_net(5), `dev`). The open file belongs to the network and
 * not to the process, so it can be read after the last process of the cell is gone. The cell cannot reset the counters.
 */
export function countTraffic(pid: number): TrafficCounter {
  let fd: number | null
  try {
    fd = openSync(`/proc/${pid}/net/dev`, 'r')
  } catch {
    fd = null
  }
  const now = (): CellTraffic | null => {
    try {
      return fd === null ? null : trafficIn(textOf(fd))
    } catch {
      return null
    }
  }
  let held: CellTraffic | null = null
  return {
    read: () => held ?? now(),
    hold: () => {
      held = now()
    },
    close: () => {
      if (fd !== null) closeSync(fd)
      fd = null
    },
  }
}

function textOf(fd: number): string {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const part = Buffer.alloc(4096)
    const length = readSync(fd, part, 0, part.length, at)
    if (length === 0) return Buffer.concat(parts).toString('latin1')
    parts.push(part.subarray(0, length))
    at += length
  }
}

/** Returns the sum of the lines `NAME: RECEIVED … (8 columns) SENT …` for all interfaces but `lo`. */
export function trafficIn(text: string): CellTraffic {
  let [bytesIn, bytesOut] = [0, 0]
  for (const line of text.split('\n')) {
    const [, name, counts] = /^\s*([^:|]+):\s*(\d[\d\s]*)$/.exec(line) ?? []
    if (name === undefined || counts === undefined || name === 'lo') continue
    const columns = counts.trim().split(/\s+/).map(Number)
    bytesIn += columns[0] ?? 0
    bytesOut += columns[8] ?? 0
  }
  return { bytesOut, bytesIn }
}
