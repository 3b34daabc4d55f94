import path from 'node:path'
import { newestLines } from '../../audit/read-log.ts'
import { verifyAudit } from '../../audit/verify-log.ts'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { storyText, verdictText } from './audit-lines.ts'

/** Maximum number of lines shown for one cell. */
const maxStory = 100_000

/** Returns the directory of the log. */
export const auditDirectory = (): string => path.join(resolvePaths(process.env).state, 'audit')

/** `paddock audit show`: prints everything that the log contains about one cell. */
export function auditShow(cell: string): Answer<Result<'audit show'>> {
  const { lines, unreadable } = newestLines(auditDirectory(), { cell }, maxStory)
  const cells = [...new Set(lines.map((each) => each.cell ?? ''))]
  if (cells.length === 0 || !/^[0-9a-f]{4,}$/.test(cell))
    throw new PaddockError('NOT_FOUND', `There is no cell ${JSON.stringify(cell)} in the audit log.`, {
      hint: 'To list the ids of cells: paddock audit tail --kind cell.launch',
    })
  if (cells.length > 1)
    throw new PaddockError('BAD_INPUT', `${JSON.stringify(cell)} matches ${cells.length} cells.`, {
      hint: `Give more characters: ${cells.slice(0, 5).join(', ')}`,
    })
  return { data: { schemaVersion: 1, cell: cells[0] ?? '', events: lines }, lines: storyText(lines), notes: unreadableNote(unreadable) }
}

/** Returns a note about lines that are damaged or were changed; empty if there are none. */
export function unreadableNote(count: number): readonly string[] {
  if (count === 0) return []
  return [`${count === 1 ? '1 line was' : `${count} lines were`} changed; see paddock audit verify`]
}

/** `paddock audit verify`: exit code 0 if the log is unchanged, 1 if somebody changed it. */
export function auditVerify(options: { readonly head?: string }): Answer<Result<'audit verify'>> {
  if (options.head !== undefined && !/^[0-9a-f]{64}$/.test(options.head))
    throw new PaddockError('BAD_INPUT', '--head takes the hash of a line, 64 hexadecimal digits.', {
      hint: 'To print that of the newest line, run: paddock audit verify',
    })
  const verdict = verifyAudit(auditDirectory(), options.head)
  return { data: verdict, lines: verdictText(verdict), exitCode: verdict.whole ? exitCodes.done : exitCodes.no }
}
