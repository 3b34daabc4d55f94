import type { AuditLine } from '../audit/line.ts'
import type { VerifiedLog } from '../audit/verified-lines.ts'
import { PaddockError } from '../base/errors.ts'
import { cellOrigin } from '../fleet/cell-name.ts'
import { idPatterns } from '../fleet/ids.ts'
import { cellsOfWork, commitOf, subjectsOf, textOf } from './attested-cells.ts'
import type { Predicate, Subject } from './statement-schema.ts'

/** What a statement says about finished work, without the facts that every statement has. */
export interface Work {
  readonly subject: readonly Subject[]
  readonly predicate: Omit<Predicate, 'schemaVersion' | 'paddock' | 'auditLog'>
}

const appliedName = /^[0-9a-f]{8}$/
const cellStart = /^[0-9a-f]{4,}$/

/**
 * Returns the work with this id, from the log: a job, an applied copy, or a cell by its id or the start of it.
 * @throws PaddockError NOT_FOUND, BAD_INPUT if the id is ambiguous, CONFLICT if the work has not ended
 */
export function workOf(log: VerifiedLog, id: string): Work {
  if (idPatterns.job.test(id)) return jobOf(log, id)
  const applied = appliedName.test(id) ? [...log.lines({ kind: 'copy.applied' })].filter(({ line }) => textOf(line, 'copy') === id) : []
  const newest = applied.at(-1)
  return newest === undefined ? runOf(log, id) : applyOf(log, id, newest.line)
}

function jobOf(log: VerifiedLog, id: string): Work {
  const ids = [...log.lines({ kind: 'cell.launch' })].flatMap(({ line }) =>
    line.cell !== undefined && cellOrigin(textOf(line, 'name') ?? '').job === id ? [line.cell] : [],
  )
  if (ids.length === 0) throw notFound(id)
  return ofCells(log, 'job', id, ids)
}

function runOf(log: VerifiedLog, id: string): Work {
  if (!cellStart.test(id)) throw notFound(id)
  const ids = [...new Set([...log.lines({ kind: 'cell.launch', cell: id })].flatMap(({ line }) => line.cell ?? []))]
  const [cell] = ids
  if (cell === undefined) throw notFound(id)
  if (ids.length > 1)
    throw new PaddockError('BAD_INPUT', `${JSON.stringify(id)} matches ${ids.length} cells.`, {
      hint: `Give more characters: ${ids.slice(0, 5).join(', ')}`,
    })
  return ofCells(log, 'run', cell, [cell])
}

function ofCells(log: VerifiedLog, kind: 'run' | 'job', id: string, ids: readonly string[]): Work {
  const found = cellsOfWork(log, ids)
  if (found.cells.some((each) => each.endedAt === null))
    throw new PaddockError('CONFLICT', `${id} has not ended, so there is nothing to attest yet.`, {
      hint: 'Wait for its end. Running cells: paddock ps',
    })
  const [first] = found.cells
  return {
    subject: subjectsOf(found),
    predicate: {
      ...none,
      kind,
      id,
      project: first?.project ?? null,
      base: first?.base ?? null,
      cells: [...found.cells],
      cellsNotInLog: found.missing,
    },
  }
}

const none = { applied: null, contest: null }

function applyOf(log: VerifiedLog, id: string, line: AuditLine): Work {
  const { cells: ids, hashes, paths, written, deleted, submission } = line.data
  const found = cellsOfWork(log, Array.isArray(ids) ? ids.map(String) : [])
  const commit = commitOf(line)
  const files = Object.entries(typeof hashes === 'object' && hashes !== null ? hashes : {}).map(([name, sha256]) => ({
    name,
    digest: { sha256: String(sha256) },
  }))
  const made = [...(commit === null ? [] : [{ name: 'git', digest: { ...commit } }]), ...files]
  return {
    subject: made.length > 0 ? made : [{ name: `audit.jsonl#${line.seq}`, digest: { sha256: line.hash } }],
    predicate: {
      ...none,
      kind: 'apply',
      id,
      project: textOf(line, 'project'),
      base: commitOf(line, 'base'),
      cells: [...found.cells],
      cellsNotInLog: found.missing,
      applied: {
        at: line.time,
        paths: Math.max(Number(written) + Number(deleted), Array.isArray(paths) ? paths.length : 0),
        pathsInSubject: files.length,
        overrides: (['runLater', 'allowSecrets'] as const).filter((each) => line.data[each] === true),
        submission: isSubmission(submission) ? submission : null,
      },
    },
  }
}

function isSubmission(value: unknown): value is NonNullable<NonNullable<Predicate['applied']>['submission']> {
  return typeof value === 'object' && value !== null && 'contest' in value && 'tree' in value
}

function notFound(id: string): PaddockError {
  return new PaddockError('NOT_FOUND', `The audit log has no cell, applied copy or job ${JSON.stringify(id)}.`, {
    hint: 'To list cells and applied copies: paddock audit tail --kind cell.launch,copy.applied',
  })
}
