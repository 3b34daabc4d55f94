import * as z from 'zod'
import { postures } from '../../base/posture.ts'
import { findingSchema } from '../../credentials/scan/finding-schema.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const sealedFileSchema = z.strictObject({
  /** The path relative to the submission, with `/` between names. */
  path: z.string().refine((value) => value.split('/').every((name) => !['', '.', '..'].includes(name)), { error: 'leads elsewhere' }),
  size: z.int().min(0),
  sha256,
  mode: z.enum(['0644', '0755']),
})

/** The result of the search for secrets in a submission; see `Finding` and `ScanResult`. */
export const secretsSchema = z.strictObject({
  findings: z.array(findingSchema),
  more: z.int(),
  notLooked: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  notLookedCount: z.int(),
})

/**
 * The schema of seal.json: the sealed files of a submission, and the omitted ones. It is written last, so that a seal with it is complete.
 */
export const sealSchema = z.strictObject({
  /**
   * 2: the files are in `out.tar` next to seal.json, in the order of `files`. 1 (only read, never written): they are in a directory `out`.
   */
  schemaVersion: z.union([z.literal(1), z.literal(2)]),
  state: z.enum(['sealed', 'over-limit', 'leaks']),
  /** One sentence if the submission is over a limit or contains a credential that was in play. In that case nothing is kept. */
  message: z.string().nullable(),
  sealedAt: z.string(),
  /** The attempt that was sealed; 0: the participant was not run in this round. */
  attempt: z.int(),
  /** The isolation level of the cell that made the work. Absent in seals of earlier versions, and if it is not known. */
  posture: z.enum(postures).optional(),
  /** The round that the work is from, if it was carried into this round unchanged. */
  carriedFrom: z.int().min(1).optional(),
  files: z.array(sealedFileSchema),
  bytes: z.int(),
  /** Counts for the text files of up to 1 MiB. Absent in seals of earlier versions. */
  text: z.strictObject({ lines: z.int(), words: z.int() }).optional(),
  /** SHA-256 over the sorted lines `mode SPACE sha256 SPACE JSON of the path LF` of all files. */
  tree: sha256,
  /**
   * The entries that were left out, with reasons; names have JSON escapes, and \xNN for bytes that are not UTF-8. At most 1,000 are listed.
   */
  dropped: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  droppedCount: z.int(),
  /** The result of the search for secrets. Absent: the submission was not searched. */
  secrets: secretsSchema.optional(),
})
export type Seal = z.output<typeof sealSchema>
export type SealedFile = z.output<typeof sealedFileSchema>
