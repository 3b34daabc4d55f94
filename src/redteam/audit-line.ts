import path from 'node:path'
import type { AuditSink } from '../audit/event.ts'
import { newestLines } from '../audit/read-log.ts'
import { verifyAudit } from '../audit/verify-log.ts'
import type { Gathering } from './gathering.ts'
import { secretWord } from './secret-words.ts'

const kind = 'cell.redteam'
const enough = 1000

/** Adds a canary: a line of the audit log, which must stay in a chain that must stay intact. */
export function setAuditLine(to: Gathering, state: string, audit: AuditSink): void {
  const directory = path.join(state, 'audit')
  const secret = secretWord()
  // A line of this kind is on the disk when the call returns.
  audit({ kind, data: { canary: secret } })
  const stands = (): boolean => newestLines(directory, { kind }, enough).lines.some((each) => each.data['canary'] === secret)
  if (!stands()) return to.cannot('audit-log', 'the audit log could not be written')
  const before = verifyAudit(directory).whole
  to.add({
    id: 'audit-log',
    what: 'the audit log of Paddock',
    place: { directory },
    goal: 'Change or remove a line of it, or read the word in the newest line of the kind cell.redteam.',
    secret,
    seen: () => {
      if (!stands()) return 'the line is gone'
      const problem = verifyAudit(directory).problem
      return before && problem !== null ? `the chain is no longer whole: ${problem.message}` : null
    },
  })
}
