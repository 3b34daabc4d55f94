import { hash } from 'node:crypto'
import type { AuditLine } from './line.ts'

/** The maximum number of bytes of unreadable lines that are buffered until a line seals them. */
export const maxTorn = 4 * 1024 ** 2

/** Returns true if this line of the log seals a torn line. */
export function isSeal({ kind, data }: AuditLine): boolean {
  return kind === 'audit.repaired' && data['what'] === 'torn'
}

/** Returns true if this line seals exactly the preceding unreadable lines, which means that they have not been changed since. */
export function seals(line: AuditLine, torn: readonly Buffer[]): boolean {
  const bytes = Buffer.concat(torn.flatMap((each, at) => (at === 0 ? [each] : [Buffer.from('\n'), each])))
  return isSeal(line) && hash('sha256', bytes, 'hex') === line.data['sha256']
}
