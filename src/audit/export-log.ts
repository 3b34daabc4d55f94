import { type AuditFilter, matcherOf } from './event-filter.ts'
import type { ExportFormat } from './export-formats.ts'
import { readLine } from './line.ts'
import { type Snapshot, snapshotOf } from './log-snapshot.ts'
import { ocsfEvent } from './ocsf-event.ts'
import { rawLines } from './raw-lines.ts'
import { type AuditVerdict, verifySnapshot } from './verify-log.ts'

/** The events of a log that was verified before, up to its first problem. */
export interface AuditExport extends Disposable {
  readonly verdict: AuditVerdict
  /** Yields one JSON text with a newline for each event. Can be read once. */
  readonly texts: Generator<string, void>
}

/**
 * Verifies the log in a directory and returns its events up to the first problem. `jsonl`: the lines of the log, byte for byte, so that
 * their hashes can be checked elsewhere. `ocsf`: events of the Open Cybersecurity Schema Framework.
 */
export function exportAudit(directory: string, format: ExportFormat, filter: AuditFilter, version: string): AuditExport {
  const snapshot = snapshotOf(directory)
  try {
    const verdict = verifySnapshot(snapshot)
    return { verdict, texts: textsOf(snapshot, verdict.lines, format, filter, version), [Symbol.dispose]: () => snapshot[Symbol.dispose]() }
  } catch (error) {
    snapshot[Symbol.dispose]()
    throw error
  }
}

/** `intact`: the number of lines that the verification accepted. They are the first ones that can be read. */
function* textsOf(snapshot: Snapshot, intact: number, format: ExportFormat, filter: AuditFilter, version: string): Generator<string, void> {
  const matches = matcherOf(filter)
  let left = intact
  for (const { fd, size } of snapshot.files) {
    for (const raw of rawLines(fd, 0, size)) {
      if (left === 0) return
      const line = raw.long || !raw.ended ? null : readLine(raw.bytes)
      if (line === null) continue
      left--
      if (matches(line)) yield format === 'jsonl' ? `${raw.bytes.toString('utf8')}\n` : `${JSON.stringify(ocsfEvent(line, version))}\n`
    }
  }
}
