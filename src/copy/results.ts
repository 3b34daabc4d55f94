import * as z from 'zod'
import { findingSchema } from '../credentials/scan/finding-schema.ts'
import { recordSchema } from './record.ts'

const pathAndWhy = z.strictObject({ path: z.string(), why: z.string() })

/** A path that an agent changed. */
const changeSchema = z.strictObject({
  path: z.string(),
  kind: z.enum(['added', 'modified', 'deleted', 'mode']),
  runsLater: z.string().nullable().describe('Why it would run on this machine later; null: it would not.'),
  baseMoved: z.boolean().describe('Whether the project no longer has what was copied.'),
  mode: z.strictObject({ from: z.string(), to: z.string() }).nullable().describe('Octal; null: unchanged.'),
  link: z.string().nullable().describe('The target of a symbolic link.'),
  content: z.enum(['text', 'binary', 'too-large', 'link', 'moved', 'unreadable', 'none']).nullable(),
  added: z.int().nullable().describe('Lines.'),
  removed: z.int().nullable().describe('Lines.'),
  secrets: z.array(findingSchema).describe('What looks like a secret.'),
  diff: z.string().optional().describe('Unified. Absent with --stat, and for files that are not text.'),
})
export type ChangeResult = z.input<typeof changeSchema>

/** A copy, in the form of `paddock review --json`. */
export const reviewSchema = z
  .strictObject({
    schemaVersion: z.literal(1),
    id: z.string(),
    project: z.string(),
    created: z.string(),
    head: z.string().nullable().describe('The commit of the project when it was copied.'),
    tree: z.string().describe('The directory of the copy.'),
    changes: z.array(changeSchema),
    notSearched: z.array(pathAndWhy).describe('Not searched for secrets.'),
    leftOut: z.array(pathAndWhy).describe('Not compared.'),
    leftOutCount: z.int(),
    ignoredCount: z.int().describe('New files that git ignores.'),
    skipped: z.array(pathAndWhy).describe('Not copied.'),
    skippedCount: z.int(),
    notes: z.array(z.string()),
  })
  .meta({ id: 'Review' })

/** All copies, in the form of `paddock review --list --json`. */
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
    same: z.array(z.string()).describe('What the project had already.'),
    committed: z.boolean().nullable().describe('Whether git committed it; null: it was not asked to.'),
    left: z.int().describe('Changes that were not chosen.'),
    leftOut: z.int(),
    ignored: z.int(),
    kept: z.boolean().describe('Whether the copy is still there.'),
  })
  .meta({ id: 'Applied' })

/** The output of `paddock discard --json`. */
export const discardedSchema = z.strictObject({ schemaVersion: z.literal(1), id: z.string(), project: z.string().nullable() })
