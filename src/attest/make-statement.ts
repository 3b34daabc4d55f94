import { existsSync } from 'node:fs'
import path from 'node:path'
import { openVerified } from '../audit/verified-lines.ts'
import { PaddockError } from '../base/errors.ts'
import { contestWork } from './contest-work.ts'
import { workOf } from './records.ts'
import { inTotoStatement, predicateType, type Statement } from './statement-schema.ts'

interface StatementWish {
  /** The id of a cell, an applied copy or a job, or the directory of a contest. */
  readonly of: string
  readonly auditDirectory: string
  readonly version: string
}

/**
 * Returns the statement about finished work. Everything in it is from the audit log, which is verified first, and from the files of a contest.
 * @throws PaddockError CONFLICT if the log was changed, or if the work has not ended; NOT_FOUND, BAD_INPUT
 */
export async function makeStatement({ of, auditDirectory, version }: StatementWish): Promise<Statement> {
  using log = openVerified(auditDirectory)
  const { head, whole } = log.verdict
  if (!whole)
    throw new PaddockError('CONFLICT', 'The audit log was changed, so nothing can be attested.', {
      hint: 'To see where, run: paddock audit verify',
    })
  const isContest = existsSync(path.join(of, 'contest.yaml'))
  const { subject, predicate } = isContest ? await contestWork(log, of) : workOf(log, of)
  if (subject.length === 0 || head === null) throw new Error('a statement has a subject')
  return {
    _type: inTotoStatement,
    subject: [...subject],
    predicateType,
    predicate: {
      schemaVersion: 1,
      paddock: { version },
      ...predicate,
      auditLog: { seq: head.seq, sha256: head.hash, time: head.time },
    },
  }
}
