import { hash } from 'node:crypto'
import type { AuditLine } from './line.ts'

/** Bytes of unreadable lines that are held until a line that seals them is read. */
export const maxTorn = 4 * 1024 ** 2

/** Returns true if this line of the log says that it seals a torn line. */
export function isSeal({ kind, data }: AuditLine): boolean {
  return kind === 'audit.repaired' && data['what'] === 'torn'
}

/** Returns true if this line seals exactly these unreadable lines, which come before it: nobody changed them since. */
export function seals(line: AuditLine, torn: readonly Buffer[]): boolean {
  const bytes = Buffer.concat(torn.flatMap((each, at) => (at === 0 ? [each] : [Buffer.from('\n'), each])))
  return isSeal(line) && hash('sha256', bytes, 'hex') === line.data['sha256']
}
