import type { AuditFilter } from './event-filter.ts'
import type { ExportFormat } from './export-formats.ts'
import { ocsfEvent } from './ocsf-event.ts'
import { openVerified, type VerifiedLog } from './verified-lines.ts'
import type { AuditVerdict } from './verify-log.ts'

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
  const log = openVerified(directory)
  return { verdict: log.verdict, texts: textsOf(log, format, filter, version), [Symbol.dispose]: () => log[Symbol.dispose]() }
}

function* textsOf(log: VerifiedLog, format: ExportFormat, filter: AuditFilter, version: string): Generator<string, void> {
  for (const { line, bytes } of log.lines(filter))
    yield format === 'jsonl' ? `${bytes.toString('utf8')}\n` : `${JSON.stringify(ocsfEvent(line, version))}\n`
}
