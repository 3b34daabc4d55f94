import * as z from 'zod'

/** The type of an in-toto statement (https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md). */
export const inTotoStatement = 'https://in-toto.io/Statement/v1'
/** The type of the predicate in Paddock's statements. */
export const predicateType = 'urn:paddock:work:v1'

const digest = z.record(z.string(), z.string()).describe('By algorithm: gitCommit, or sha256 of the bytes.')
const hosts = z.array(z.string()).describe('HOST:PORT, sorted.')

const attestedCellSchema = z.strictObject({
  cell: z.string(),
  name: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable().describe('Null if the log has no end of the cell.'),
  ending: z.string().nullable(),
  exitCode: z.int().nullable(),
  agent: z.strictObject({ name: z.string(), version: z.string().nullable() }).nullable(),
  model: z.string().nullable().describe('The requested model; null if the agent chose it.'),
  prompt: z.strictObject({ sha256: z.string() }).nullable().describe('The hash of the prompt, or of the input of a command.'),
  plan: z.strictObject({ sha256: z.string() }),
  posture: z.string(),
  backend: z.string(),
  egress: z.string(),
  degraded: z.array(z.string()).describe('Guarantees that were given up by name.'),
  hostsReached: hosts,
  hostsComplete: z.boolean().describe('False if some connections are not in the log, or if the cell could bypass the gateway.'),
  project: z.string().nullable(),
  base: z.strictObject({ gitCommit: z.string() }).nullable().describe('The commit of the project at the start.'),
  commit: z
    .strictObject({ gitCommit: z.string() })
    .nullable()
    .describe('The commit that was checked out at the end, if the cell changed it.'),
})
export type AttestedCell = z.output<typeof attestedCellSchema>

const predicateSchema = z.strictObject({
  schemaVersion: z.literal(1),
  kind: z.enum(['run', 'apply', 'job', 'contest']),
  id: z.string().describe('Of the cell, the copy or the job; for a contest, its name and round.'),
  paddock: z.strictObject({ version: z.string() }),
  project: z.string().nullable(),
  base: z.strictObject({ gitCommit: z.string() }).nullable().describe('The commit that the work started from.'),
  cells: z.array(attestedCellSchema),
  cellsNotInLog: z.int().describe('Cells whose start is in a part of the log that was rotated out.'),
  applied: z
    .strictObject({
      at: z.string(),
      paths: z.int(),
      pathsInSubject: z.int(),
      overrides: z.array(z.enum(['runLater', 'allowSecrets'])),
      submission: z.strictObject({ contest: z.string(), participant: z.string(), round: z.int(), tree: z.string() }).nullable(),
    })
    .nullable()
    .describe('Only for apply.'),
  contest: z
    .strictObject({
      name: z.string(),
      round: z.int(),
      judging: z.int(),
      verdict: z.string().nullable(),
      participants: z.array(
        z.strictObject({ name: z.string(), agent: z.string(), model: z.string().nullable(), rank: z.int().nullable(), tree: z.string() }),
      ),
    })
    .nullable()
    .describe('Only for contest.'),
  auditLog: z.strictObject({ seq: z.int(), sha256: z.string(), time: z.string() }).describe('The newest line when the statement was made.'),
})
export type Predicate = z.output<typeof predicateSchema>

const subjectSchema = z.strictObject({ name: z.string(), digest })
export type Subject = z.output<typeof subjectSchema>

/** A statement of Paddock. */
export const statementSchema = z
  .strictObject({
    _type: z.literal(inTotoStatement),
    subject: z.array(subjectSchema).min(1).describe('What the work made: commits, files that were applied, sealed submissions.'),
    predicateType: z.literal(predicateType),
    predicate: predicateSchema,
  })
  .meta({ id: 'WorkStatement' })
export type Statement = z.output<typeof statementSchema>

/** A signed statement (https://github.com/secure-systems-lab/dsse/blob/master/envelope.md). */
export const envelopeSchema = z
  .object({
    payloadType: z.string(),
    payload: z.string().describe('Base64.'),
    signatures: z.array(z.object({ keyid: z.string().default(''), sig: z.string().describe('Base64.') })),
  })
  .meta({ id: 'DsseEnvelope' })
