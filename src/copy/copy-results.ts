import * as z from 'zod'
import { findingSchema } from '../credentials/scan/finding-schema.ts'
import { recordSchema } from './copy-record.ts'

const pathAndWhy = z.strictObject({ path: z.string(), why: z.string() })

/** A path that an agent changed. */
const changeSchema = z.strictObject({
  path: z.string(),
  kind: z.enum(['added', 'modified', 'deleted', 'mode']),
  runsLater: z.string().nullable().describe('Why it would run on this machine later; null if it would not.'),
  baseMoved: z.boolean().describe('Whether the project changed there since the copy was made.'),
  mode: z.strictObject({ from: z.string(), to: z.string() }).nullable().describe('In octal; null if unchanged.'),
  link: z.string().nullable().describe('The target of a symbolic link.'),
  content: z.enum(['text', 'binary', 'too-large', 'link', 'moved', 'unreadable', 'none']).nullable(),
  added: z.int().nullable().describe('Number of lines.'),
  removed: z.int().nullable().describe('Number of lines.'),
  secrets: z.array(findingSchema).describe('Text that looks like a secret.'),
  diff: z.string().optional().describe('A unified diff. Absent with --stat, and for files that are not text.'),
})
export type ChangeResult = z.input<typeof changeSchema>

/** A copy, as printed by `paddock review --json`. */
export const reviewSchema = z
  .strictObject({
    schemaVersion: z.literal(1),
    id: z.string(),
    project: z.string(),
    created: z.string(),
    head: z.string().nullable().describe('The commit of the project when it was copied.'),
    tree: z.string().describe('The directory of the copy.'),
    changes: z.array(changeSchema),
    notSearched: z.array(pathAndWhy).describe('Paths that were not searched for secrets.'),
    leftOut: z.array(pathAndWhy).describe('Paths that were not compared.'),
    leftOutCount: z.int(),
    ignoredCount: z.int().describe('Number of new files that git ignores.'),
    skipped: z.array(pathAndWhy).describe('Paths that were not copied.'),
    skippedCount: z.int(),
    notes: z.array(z.string()),
  })
  .meta({ id: 'Review' })

/** All copies, as printed by `paddock review --list --json`. */
export const reviewListSchema = z.strictObject({
  schemaVersion: z.literal(1),
  copies: z.array(recordSchema.extend({ tree: z.string() })),
  unreadable: z.array(z.strictObject({ id: z.string(), directory: z.string(), why: z.string() })),
})

/** The output of `paddock apply --json`. */
export const appliedSchema = z
  .strictObject({
    schemaVersion: z.literal(1),
    id: z.string(),
    project: z.string(),
    written: z.array(z.string()),
    deleted: z.array(z.string()),
    same: z.array(z.string()).describe('Changes that the project already had.'),
    committed: z.boolean().nullable().describe('Whether git committed it; null if no commit was requested.'),
    left: z.int().describe('Number of changes that were not chosen.'),
    leftOut: z.int(),
    ignored: z.int(),
    kept: z.boolean().describe('Whether the copy still exists.'),
  })
  .meta({ id: 'Applied' })

/** The output of `paddock discard --json`. */
export const discardedSchema = z.strictObject({ schemaVersion: z.literal(1), id: z.string(), project: z.string().nullable() })
