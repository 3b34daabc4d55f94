import * as z from 'zod'
import { archivedSchema } from './archive/archived-schema.ts'
import {
  appliedSchema,
  cells,
  consultationSchema,
  contestSummary,
  judgedSchema,
  lintFields,
  planSchema,
  removalSchema,
  roleSchema,
  schemaVersion,
  sideFile,
  standingSchema,
  trustSchema,
  undoneSchema,
  yoursSchema,
} from './result-parts.ts'
import { eventSchema } from './state/event-line.ts'

export const contestResults = {
  'contest new': z.strictObject({
    schemaVersion,
    made: z.array(z.string()),
    project: z.string().nullable(),
    files: z.int().optional(),
    notes: z.array(z.string()).optional(),
  }),
  'contest lint': z.strictObject({ schemaVersion, contest: z.string(), cells, ...lintFields }),
  'contest run': z.union([contestSummary, planSchema]).describe('The second form is for --dry-run.'),
  'contest judge': z
    .union([judgedSchema, yoursSchema])
    .describe('With --me: one line of the second form at the start, and one at the end.'),
  'contest report': contestSummary,
  'contest status': standingSchema.nullable().describe('Null if it has never run. With --watch, one line for each change.'),
  'contest resume': contestSummary,
  'contest rejudge': contestSummary,
  'contest refine': contestSummary,
  'contest chef': contestSummary,
  'contest consult': z.union([consultationSchema, contestSummary]).describe('The second form is for --refine.'),
  'contest add': z.strictObject({ schemaVersion, group: z.enum(['participants', 'judges']), role: roleSchema }),
  'contest diff': z.strictObject({
    schemaVersion,
    a: z.string(),
    b: z.string(),
    same: z.int(),
    added: z.int(),
    removed: z.int(),
    files: z.array(
      z.strictObject({
        path: z.string(),
        kind: z.enum(['added', 'deleted', 'modified', 'mode']),
        old: sideFile,
        now: sideFile,
        content: z.enum(['text', 'binary', 'too-large', 'changed', 'same']),
        added: z.int().nullable(),
        removed: z.int().nullable(),
        diff: z.string().optional(),
      }),
    ),
  }),
  'contest apply': z.union([appliedSchema, undoneSchema]).describe('The second form is for --undo.'),
  'contest tail': z
    .union([eventSchema, z.looseObject({ type: z.string() })])
    .meta({ isLine: true })
    .describe('Events of the contest, or of one agent.'),
  'contest cancel': z.strictObject({ schemaVersion, ended: z.strictObject({ pid: z.int(), command: z.string() }).nullable() }),
  'contest trust': trustSchema,
  'contest archive': archivedSchema,
  'contest clean': removalSchema,
  'contest prune': removalSchema,
}
