import path from 'node:path'
import { openAuditLog } from '../../audit/audit-log.ts'
import type { AuditEvent } from '../../audit/event.ts'
import { messageOf } from '../../base/errors.ts'
import type { Paths } from '../../base/paths.ts'
import { say } from '../terminal/terminal-output.ts'

/**
 * Writes to the audit log that the user changed what cells may do, or applied their changes. The line is on the disk when this returns.
 * Never throws: the change has been made already, so a failure to log it is only reported.
 */
export function noteEvent(paths: Paths, kind: string, data: AuditEvent['data']): void {
  try {
    const audit = openAuditLog(path.join(paths.state, 'audit'), { onTrouble: say })
    audit.write({ kind, data })
    audit.close()
  } catch (error) {
    say(`the audit log cannot be written (${messageOf(error)}), so ${kind} is not in it`)
  }
}
