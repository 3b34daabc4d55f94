import type { KeyObject } from 'node:crypto'
import * as z from 'zod'
import { keyIdOf, verifiedPayload } from './dsse.ts'
import { envelopeSchema, inTotoStatement, predicateType, type Statement, statementSchema } from './statement-schema.ts'

/** The result of a check. `why`: one sentence if the statement is not valid. `statement`: null unless the signature is good. */
export interface VerifiedStatement {
  readonly valid: boolean
  readonly why: string | null
  readonly statement: Statement | null
}

/** Checks a signed statement with a public key. `subject`: a digest in hexadecimal that the statement must be about; null: any. */
export function verifyStatement(text: string, publicKey: KeyObject, subject: string | null): VerifiedStatement {
  const envelope = envelopeSchema.safeParse(parsed(text))
  if (!envelope.success) return invalid('The file is not a DSSE envelope.')
  const payload = verifiedPayload(envelope.data, publicKey)
  if (payload === null) return invalid(`The key ${keyIdOf(publicKey).slice(0, 16)} did not sign this envelope.`)
  const value = parsed(payload.toString('utf8'))
  const head = z.object({ _type: z.string(), predicateType: z.string() }).safeParse(value)
  if (!head.success || head.data._type !== inTotoStatement) return invalid('The payload is not an in-toto statement of version 1.')
  if (head.data.predicateType !== predicateType)
    return invalid(`The statement has the predicate ${JSON.stringify(head.data.predicateType)}, which Paddock does not make.`)
  const statement = statementSchema.safeParse(value)
  if (!statement.success) return invalid('The statement lacks facts that Paddock writes, or has others.')
  const digests = statement.data.subject.flatMap(({ digest }) => Object.values(digest))
  if (subject !== null && !digests.includes(subject))
    return { valid: false, why: `The statement is not about ${subject}.`, statement: statement.data }
  return { valid: true, why: null, statement: statement.data }
}

const invalid = (why: string): VerifiedStatement => ({ valid: false, why, statement: null })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
