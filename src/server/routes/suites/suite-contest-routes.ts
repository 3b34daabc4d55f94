import path from 'node:path'
import * as z from 'zod'
import { standingSchema } from '../../../contest/result-parts.ts'
import { SuiteLayout } from '../../../contest/suite/config/suite-layout.ts'
import { namedDirectory, usedDirectory } from '../../../fleet/manifest/project-rights.ts'
import { ContestReports, reportPolicy } from '../../contest-reports.ts'
import type { App } from '../../server-deps.ts'
import { type SuiteRoutes, suiteDirectory } from './suite-schemas.ts'

const querystring = z.strictObject({
  directory: suiteDirectory,
  run: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}\/[1-9]\d{0,3}$/)
    .describe('The brief and the repeat: `parse-dates/2`.'),
})

/** `/api/v1/suites/contest`: one contest of a suite. */
export function suiteContestRoutes(app: App, { contests, directories, command }: SuiteRoutes): void {
  const reports = new ContestReports(command)
  /** Returns the directory of a contest. Throws NOT_FOUND before its first run. */
  const directoryOf = ({ directory, run }: z.output<typeof querystring>): string =>
    usedDirectory(path.join(new SuiteLayout(namedDirectory(directory, directories)).runs, run), 'run', directories)
  app.get(
    '/api/v1/suites/contest',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'getSuiteContest',
        summary: 'Returns the progress of one contest of a suite.',
        querystring,
        response: {
          200: z.object({
            directory: z.string(),
            atWork: z.boolean().describe('Whether a process works on it.'),
            status: standingSchema.nullable().describe('Null if not known.'),
          }),
        },
      },
    },
    async ({ query }) => {
      const directory = directoryOf(query)
      return { directory, atWork: await contests.isAtWork(directory), status: await reports.standing(directory, false) }
    },
  )
  app.get(
    '/api/v1/suites/contest/report.html',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'getSuiteContestReportPage',
        summary: 'Returns the report of one contest of a suite that no process works on, as one self-contained page.',
        querystring,
        produces: ['text/html'],
        response: { 200: z.string() },
      },
    },
    async ({ query }, reply) => {
      const directory = directoryOf(query)
      await contests.refuseAtWork(directory)
      const page = await reports.page(directory)
      return reply.header('content-security-policy', reportPolicy()).type('text/html; charset=utf-8').send(page)
    },
  )
}
