import { hash } from 'node:crypto'
import { type AuditLine, readLine } from './line.ts'
import { readRange } from './log-place.ts'

const newline = 10

/** The end of a file of the log. */
export interface FileEnding {
  /** The last complete line; null: there is no complete line. */
  readonly line: AuditLine | null
  /** True: only the newline of the last line is missing. */
  readonly unended: boolean
  /** The bytes after the last line, left by a crash or by another program. */
  readonly torn: { readonly bytes: number; readonly sha256: string; readonly needsNewline: boolean } | null
}

/** Finds the last complete line in the first `size` bytes of a file, from the end backwards. */
export function endingOf(fd: number, size: number): FileEnding {
  for (let span = 64 * 1024; ; span *= 8) {
    const from = Math.max(0, size - span)
    const bytes = readRange(fd, from, size)
    let end = bytes.lastIndexOf(newline)
    const unended = end + 1 < bytes.length && (end >= 0 || from === 0) ? readLine(bytes.subarray(end + 1)) : null
    if (unended !== null) return { line: unended, unended: true, torn: null }
    while (end >= 0) {
      const before = end === 0 ? -1 : bytes.lastIndexOf(newline, end - 1)
      if (before < 0 && from > 0) break
      const line = readLine(bytes.subarray(before + 1, end))
      if (line !== null) return { line, unended: false, torn: tornOf(bytes.subarray(end + 1)) }
      end = before
    }
    if (from === 0) return { line: null, unended: false, torn: tornOf(bytes) }
  }
}

/** Returns the facts about torn bytes. The hash excludes the final newline, because sealing adds it if it is missing. */
function tornOf(bytes: Buffer): FileEnding['torn'] {
  if (bytes.length === 0) return null
  const ended = bytes.at(-1) === newline
  const inner = ended ? bytes.subarray(0, -1) : bytes
  return { bytes: inner.length, sha256: hash('sha256', inner, 'hex'), needsNewline: !ended }
}
