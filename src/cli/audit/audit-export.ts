import { once } from 'node:events'
import path from 'node:path'
import type { ExportFormat } from '../../audit/export-formats.ts'
import { type AuditExport, exportAudit } from '../../audit/export-log.ts'
import type { AuditVerdict } from '../../audit/verify-log.ts'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { writeAtomic } from '../../files/atomic.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { say } from '../terminal/terminal-output.ts'
import { version } from '../version.ts'
import { auditDirectory } from './audit-command.ts'
import { verdictText } from './audit-lines.ts'

export interface AuditExportOptions {
  readonly format: ExportFormat
  readonly from?: string
  readonly output?: string
  readonly json?: boolean
}

/** `paddock audit export --output`: writes the events of the log to a file. Exit code 1 if the log was changed. */
export async function auditExport(options: AuditExportOptions & { readonly output: string }): Promise<Answer<Result<'audit export'>>> {
  using found = exported(options)
  const { verdict, texts } = found
  const file = path.resolve(options.output)
  let count = 0
  async function* counted(): AsyncGenerator<string> {
    for (const each of texts) {
      count++
      yield each
    }
  }
  await writeAtomic(file, counted(), { mode: 0o600 })
  return {
    data: { schemaVersion: 1, format: options.format, file, exported: count, verdict },
    lines: [`exported ${count} event${count === 1 ? '' : 's'} to ${file}`],
    notes: brokenNote(verdict),
    exitCode: verdict.whole ? exitCodes.done : exitCodes.no,
  }
}

/** `paddock audit export` without `--output`: prints the events. Returns the exit code: 1 if the log was changed. */
export async function printExport(options: AuditExportOptions): Promise<number> {
  if (options.json === true)
    throw new PaddockError('BAD_INPUT', '--json requires --output, because the events are printed as JSON already.', {
      hint: 'For example: paddock audit export --json --output events.jsonl',
    })
  using found = exported(options)
  await toStandardOutput(found.texts)
  for (const each of brokenNote(found.verdict)) say(each)
  return found.verdict.whole ? exitCodes.done : exitCodes.no
}

function exported({ format, from }: AuditExportOptions): AuditExport {
  if (from !== undefined && Number.isNaN(Date.parse(from)))
    throw new PaddockError('BAD_INPUT', `--from ${from} is not a time.`, { hint: 'For example --from 2027-01-31T12:00:00Z' })
  return exportAudit(auditDirectory(), format, from === undefined ? {} : { from }, version)
}

function brokenNote(verdict: AuditVerdict): readonly string[] {
  if (verdict.whole) return []
  return [`the log was changed, so only the lines before that were exported: ${verdictText(verdict)[0] ?? ''}`]
}

/** Writes at the speed of the reader. Returns early if the reader closed the pipe. */
async function toStandardOutput(texts: Iterable<string>): Promise<void> {
  const closed = new AbortController()
  process.stdout.once('error', () => closed.abort())
  for (const each of texts) {
    if (closed.signal.aborted) return
    if (!process.stdout.write(each)) await once(process.stdout, 'drain', { signal: closed.signal }).catch(() => undefined)
  }
}
