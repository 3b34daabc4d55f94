import { type AuditFilter, matcherOf } from './event-filter.ts'
import { type AuditLine, readLine } from './line.ts'
import { type Snapshot, snapshotOf } from './log-snapshot.ts'
import { rawLines } from './raw-lines.ts'
import { type AuditVerdict, verifySnapshot } from './verify-log.ts'

/** The lines of a log that was verified before, up to its first problem. */
export interface VerifiedLog extends Disposable {
  readonly verdict: AuditVerdict
  /** Yields the matching lines with their bytes, oldest first. Each call reads the log again. */
  lines(filter: AuditFilter): Generator<{ readonly line: AuditLine; readonly bytes: Buffer }, void>
}

/** Verifies the log in a directory, and keeps its files open so that exactly the verified lines are read. */
export function openVerified(directory: string): VerifiedLog {
  const snapshot = snapshotOf(directory)
  const close = (): void => snapshot[Symbol.dispose]()
  try {
    const verdict = verifySnapshot(snapshot)
    return { verdict, lines: (filter) => linesOf(snapshot, verdict.lines, filter), [Symbol.dispose]: close }
  } catch (error) {
    close()
    throw error
  }
}

/** `intact`: the number of lines that the verification accepted. They are the first ones that can be read. */
function* linesOf(snapshot: Snapshot, intact: number, filter: AuditFilter): ReturnType<VerifiedLog['lines']> {
  const matches = matcherOf(filter)
  let left = intact
  for (const { fd, size } of snapshot.files) {
    for (const raw of rawLines(fd, 0, size)) {
      if (left === 0) return
      const line = raw.long || !raw.ended ? null : readLine(raw.bytes)
      if (line === null) continue
      left--
      if (matches(line)) yield { line, bytes: raw.bytes }
    }
  }
}
