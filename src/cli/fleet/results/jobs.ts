import * as z from 'zod'
import { appliedSchema } from '../../../server/routes/changes.ts'
import { jobSchema, wholeJobSchema } from '../../../server/routes/job-view.ts'
import { pageOf } from '../../../server/routes/lists.ts'
import { reviewSchema } from '../../copy/results.ts'

const eventSchema = z.looseObject({ type: z.string(), n: z.int(), at: z.string() })
/** Of a job that is followed: its events, then the job. */
const followed = z
  .union([wholeJobSchema, jobSchema, eventSchema])
  .meta({ isLine: true })
  .describe('The events of the job, one a line, then the job; with --detach only the job.')

export const jobResults = {
  'job run': followed,
  'job continue': followed,
  'job message': followed,
  'job watch': followed,
  'job change': jobSchema,
  'job list': pageOf(jobSchema),
  'job review': reviewSchema,
  'job apply': appliedSchema,
  'job discard': z.looseObject({ id: z.string() }),
  'job show': wholeJobSchema,
  'job wait': wholeJobSchema,
  'job cancel': jobSchema,
}
