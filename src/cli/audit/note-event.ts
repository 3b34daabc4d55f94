import path from 'node:path'
import type { AuditEvent } from '../../audit/event.ts'
import { openAuditLog } from '../../audit/log.ts'
import { messageOf } from '../../errors.ts'
import type { Paths } from '../../paths.ts'
import { say } from '../terminal/output.ts'

/**
 * Puts into the audit log what the user did to what cells may do or bring about; it is on the disk when this returns. Never throws: the
 * deed is done, and that it is not in the log is said.
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
