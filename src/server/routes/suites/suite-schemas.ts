import * as z from 'zod'
import { type SuiteWorks, suiteCommands } from '../../../fleet/contests/suite-works.ts'
import type { ContestRoutes } from '../contest-routes.ts'

export interface SuiteRoutes extends ContestRoutes {
  readonly suites: SuiteWorks
}

export const suiteDirectory = z
  .string()
  .min(1)
  .max(4096)
  .describe('A directory on this machine. `fleet.contests` of config.yaml lists which are allowed.')

/** The run of a command on a suite, in answers. */
export const workSchema = z
  .object({
    id: z.string(),
    directory: z.string(),
    command: z.enum(suiteCommands),
    requestedBy: z.string(),
    startedAt: z.string(),
    state: z.enum(['running', 'done', 'failed', 'cancelled']),
    problem: z.string().nullable().describe('Why it ended without a result; null if it did not.'),
    notDone: z
      .array(z.object({ run: z.string(), why: z.string() }))
      .readonly()
      .describe('The contests that are not done, with the reasons.'),
  })
  .meta({ id: 'SuiteWork' })
