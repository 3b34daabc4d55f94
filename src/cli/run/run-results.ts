import * as z from 'zod'
import { planSchema } from '../../cell/plan/plan-schema.ts'
import { reportSchema } from '../../cell/report-schema.ts'

export const runResults = {
  run: z
    .union([
      reportSchema,
      reportSchema.extend({ copy: z.string().nullable().describe('With --copy: the id of the copy; null if nothing changed.') }),
      reportSchema.extend({ worktree: z.string().describe('With --worktree: the directory of the work tree.') }),
      planSchema,
    ])
    .describe('The report of the cell, or the plan with --dry-run.'),
  sign: z.strictObject({
    schemaVersion: z.literal(1),
    project: z.string(),
    branch: z.string().nullable().describe('Null if HEAD is detached.'),
    before: z.string(),
    after: z.string(),
    commits: z.array(z.strictObject({ from: z.string(), to: z.string(), subject: z.string(), wasSigned: z.boolean() })),
    stale: z.array(z.string()).describe('Other refs that still contain the commits as they were.'),
  }),
}
