import * as z from 'zod'
import { planSchema } from './plan-schema.ts'
import { reportSchema } from './report-schema.ts'

export const runResults = {
  run: z
    .union([
      reportSchema,
      reportSchema.extend({ copy: z.string().nullable().describe('With --copy: the id of the copy; null if nothing changed.') }),
      reportSchema.extend({ worktree: z.string().describe('With --worktree: the directory of the work tree.') }),
      planSchema,
    ])
    .describe('The report of the cell, or the plan with --dry-run.'),
}
