import * as z from 'zod'
import { jobSchema } from '../../../server/routes/job-view-routes.ts'
import { leaseSchema } from '../../../server/routes/lease-view-routes.ts'
import { sessionSchema } from '../../../server/routes/terminal-routes.ts'

export const leaseResults = {
  'lease create': z.strictObject({ token: z.string().describe('The secret of the borrower.'), lease: leaseSchema }),
  'lease list': z.strictObject({ items: z.array(leaseSchema) }),
  'lease show': leaseSchema.extend({ jobs: z.array(jobSchema).describe('The ten newest jobs.') }),
  'lease revoke': leaseSchema,
  'session list': z.strictObject({ items: z.array(sessionSchema) }),
  'session end': sessionSchema,
}
