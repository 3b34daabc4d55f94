import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../base/errors.ts'
import { type AuditFilter, matcherOf } from './event-filter.ts'
import { type AuditLine, readLine } from './line.ts'
import { currentName, readRange, rotatedNames } from './log-place.ts'

export interface RecentLines {
  /** The matching lines, oldest first. */
  readonly lines: readonly AuditLine[]
  /** The number of the newest line that was read, whether or not it matches. */
  readonly newest: number
  /** False: there were more lines than one call reads, and the older ones are missing. */
  readonly whole: boolean
}

const chunk = 256 * 1024
const newline = 10
const numbered = /^\{"schemaVersion":1,"seq":([1-9]\d{0,14}),/

/**
 * Returns the lines of the log after line `after`. Reads only those, from the end backwards and without the lock of the writers, so
 * that it can be called every second. Reads at most `mostBytes`.
 */
export function linesAfter(directory: string, after: number, filter: AuditFilter, mostBytes = 2 * 1024 ** 2): RecentLines {
  const matches = matcherOf(filter)
  const lines: AuditLine[] = []
  let newest = after
  let oldest = Number.POSITIVE_INFINITY
  let left = mostBytes
  const files = [currentName, ...rotatedNames(directory).map(({ name }) => name)]
  // The current file is read first, then the others from the newest to the oldest.
  for (const name of [files[0] ?? currentName, ...files.slice(1).reverse()]) {
    const fd = opened(path.join(directory, name))
    if (fd === null) continue
    try {
      for (const bytes of linesBackwards(fd)) {
        left -= bytes.length + 1
        const seq = Number(numbered.exec(bytes.toString('latin1', 0, 64))?.[1] ?? Number.NaN)
        // A rotation during the read shows the same lines under two names.
        if (Number.isNaN(seq) || seq >= oldest) continue
        if (seq <= after) return { lines: lines.reverse(), newest, whole: true }
        if (left < 0) return { lines: lines.reverse(), newest, whole: false }
        oldest = seq
        newest = Math.max(newest, seq)
        const line = readLine(bytes)
        if (line !== null && matches(line)) lines.push(line)
      }
    } finally {
      closeSync(fd)
    }
  }
  return { lines: lines.reverse(), newest, whole: true }
}

function opened(file: string): number | null {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Returns the lines of a file from its last to its first, without the bytes after the last newline. */
function* linesBackwards(fd: number): Generator<Buffer> {
  let end = fstatSync(fd).size
  let held: Buffer | null = null
  while (end > 0) {
    const from = Math.max(0, end - chunk)
    const read = readRange(fd, from, end)
    const bytes: Buffer = held === null ? read : Buffer.concat([read, held])
    // The bytes after the last newline of the file are still being written.
    let to = held === null ? bytes.lastIndexOf(newline) + 1 : bytes.length
    end = from
    if (to === 0) continue
    for (;;) {
      const start = to < 2 ? -1 : bytes.lastIndexOf(newline, to - 2)
      if (start < 0) break
      yield bytes.subarray(start + 1, to - 1)
      to = start + 1
    }
    held = bytes.subarray(0, to)
  }
  if (held !== null && held.length > 1) yield held.subarray(0, -1)
}
