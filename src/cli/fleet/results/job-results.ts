import * as z from 'zod'
import { eventSchemas } from '../../../adapters/output/event-schema.ts'
import { appliedSchema, discardedSchema } from '../../../copy/copy-results.ts'
import { jobSchema, wholeJobSchema } from '../../../server/routes/job-view-routes.ts'
import { pageOf } from '../../../server/routes/lists.ts'
import { mergedSchema, removedSchema } from '../../../worktree/worktree-results.ts'
import { copyResults } from '../../copy/copy-command-results.ts'
import { openedWorktreeSchema } from '../../worktree/worktree-command-results.ts'

const numbered = { n: z.int(), at: z.string() }
const cut = { cut: z.array(z.string()).optional().describe('Texts that were shortened because they were too long, with their lengths.') }
const eventSchema = z
  .union([
    ...eventSchemas.map((each) => each.extend({ ...numbered, ...cut })),
    z.strictObject({ type: z.literal('truncated'), message: z.string(), ...numbered }),
    z.strictObject({ type: z.string(), cut: z.array(z.string()), ...numbered }).describe('An event that was too large.'),
  ])
  .meta({ id: 'JobEvent' })
/** The output of a command that follows a job: the events of the job, then the job. */
const followed = z
  .union([wholeJobSchema, jobSchema, eventSchema])
  .meta({ isLine: true })
  .describe('The events of the job, one per line, then the job; with --detach only the job.')

export const jobResults = {
  'job run': followed,
  'job continue': followed,
  'job message': followed,
  'job watch': followed,
  'job change': jobSchema,
  'job list': pageOf(jobSchema),
  'job review': z.union([copyResults.review, openedWorktreeSchema]).describe('The last form is for a job that worked in a work tree.'),
  'job apply': z.union([appliedSchema, mergedSchema]).describe('The second form is for a job that worked in a work tree.'),
  'job discard': z.union([discardedSchema, removedSchema]).describe('The second form is for a job that worked in a work tree.'),
  'job show': wholeJobSchema,
  'job wait': wholeJobSchema,
  'job cancel': jobSchema,
}
