import * as z from 'zod'
import { hookSchema } from '../../../server/routes/hook-routes.ts'
import { jobSchema } from '../../../server/routes/job-view-routes.ts'
import { scheduleSchema, wholeSchema } from '../../../server/routes/schedule-routes.ts'

export const scheduleResults = {
  'schedule create': scheduleSchema,
  'schedule edit': scheduleSchema,
  'schedule list': z.strictObject({ items: z.array(scheduleSchema) }),
  'schedule show': wholeSchema,
  'schedule pause': scheduleSchema,
  'schedule resume': scheduleSchema,
  'schedule run': jobSchema,
  'schedule delete': z.strictObject({ deleted: z.string() }),
  'hook create': hookSchema.extend({ secret: z.string() }),
  'hook list': z.strictObject({ items: z.array(hookSchema) }),
  'hook delete': z.strictObject({ deleted: z.string() }),
}
