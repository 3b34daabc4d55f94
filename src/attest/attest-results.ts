import * as z from 'zod'
import { envelopeSchema, statementSchema } from './statement-schema.ts'

const schemaVersion = z.literal(1)
const keyid = z.string().describe('The SHA-256 of the public key in DER form.')

export const attestResults = {
  'attest make': z.strictObject({
    schemaVersion,
    file: z.string().nullable().describe('Null without --output.'),
    keyid,
    envelope: envelopeSchema,
    statement: statementSchema.describe('The payload of the envelope.'),
  }),
  'attest verify': z.strictObject({
    schemaVersion,
    valid: z.boolean(),
    why: z.string().nullable().describe('Why it is not valid.'),
    keyid,
    statement: statementSchema.nullable().describe('Null unless the key signed it.'),
  }),
  'attest key': z.strictObject({ schemaVersion, keyid, publicKey: z.string().describe('PEM.') }),
}
