import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type AuditFilter, matcherOf } from './event-filter.ts'
import { type AuditLine, readLine } from './line.ts'
import { currentName, rotatedNames } from './log-place.ts'
import { snapshotOf } from './log-snapshot.ts'
import { rawLines } from './raw-lines.ts'
import { maxTorn, seals } from './torn.ts'

export interface AuditExcerpt {
  readonly lines: readonly AuditLine[]
  /** The number of lines that are damaged or changed, without sealed torn lines. `verifyAudit` returns the details. */
  readonly unreadable: number
}

/** Returns the newest `count` matching lines, oldest first. The chain is not checked. */
export function newestLines(directory: string, filter: AuditFilter, count: number): AuditExcerpt {
  using snapshot = snapshotOf(directory)
  let lines: AuditLine[] = []
  let unreadable = 0
  const matches = matcherOf(filter)
  for (const { fd, size } of snapshot.files.toReversed()) {
    const found: AuditLine[] = []
    let torn: Buffer[] = []
    let held = 0
    for (const raw of rawLines(fd, 0, size)) {
      const line = readLine(raw.bytes)
      if (line === null) {
        unreadable++
        held += raw.bytes.length
        if (held <= maxTorn) torn.push(raw.bytes)
        continue
      }
      if (torn.length > 0 && held <= maxTorn && seals(line, torn)) unreadable -= torn.length
      torn = []
      held = 0
      if (!matches(line)) continue
      found.push(line)
      if (found.length > 2 * count) found.splice(0, found.length - count)
    }
    lines = [...found, ...lines].slice(-count)
    if (lines.length >= count) break
  }
  return { lines: count === 0 ? [] : lines, unreadable }
}

/** Yields new lines as they are written, also across rotations, until the signal. */
export async function* followLines(directory: string, filter: AuditFilter, signal: AbortSignal, pollMs = 200): AsyncGenerator<AuditLine> {
  const current = path.join(directory, currentName)
  let at = statSync(current, { throwIfNoEntry: false })?.size ?? 0
  let inode = statSync(current, { throwIfNoEntry: false })?.ino ?? null
  const matches = matcherOf(filter)
  while (!signal.aborted) {
    const names = rotatedNames(directory).map(({ name }) => path.join(directory, name))
    const files = [...names, current].flatMap((file) => {
      const stat = statSync(file, { throwIfNoEntry: false })
      return stat === undefined ? [] : [{ file, inode: stat.ino }]
    })
    // With no known file, only new lines are read. If the known file is gone, everything that remains is read.
    const begin = inode === null ? files.length - 1 : files.findIndex((each) => each.inode === inode)
    for (const each of files.slice(Math.max(0, begin))) {
      if (each.inode !== inode) at = 0
      inode = each.inode
      const fd = openSync(each.file, constants.O_RDONLY | constants.O_NOFOLLOW)
      try {
        for (const raw of rawLines(fd, at, fstatSync(fd).size)) {
          if (!raw.ended) break
          at = raw.next
          const line = raw.long ? null : readLine(raw.bytes)
          if (line !== null && matches(line)) yield line
        }
      } finally {
        closeSync(fd)
      }
    }
    await pause(pollMs, undefined, { signal }).catch(() => undefined)
  }
}
