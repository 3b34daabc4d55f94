import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { SuiteLayout } from '../../contest/suite/config/suite-layout.ts'
import { suiteStatusSchema } from '../../contest/suite/suite-results.ts'
import { readRegular } from '../../files/read-regular.ts'
import { suiteDirectories } from '../../fleet/contests/allowed-directories.ts'
import { namedDirectory } from '../../fleet/manifest/project-rights.ts'
import type { App } from '../server-deps.ts'
import { type ContestRoutes, maxReportBytes, reportPolicy } from './contest-routes.ts'

const querystring = z.strictObject({
  directory: z.string().min(1).max(4096).describe('A directory on this machine. `fleet.contests` of config.yaml lists which are allowed.'),
})

/** `/api/v1/suites`: suites in directories that the configuration lists. They run on the machine; the API only shows them. */
export function suiteRoutes(app: App, { directories, command }: Pick<ContestRoutes, 'directories' | 'command'>): void {
  app.get(
    '/api/v1/suites',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'listSuites',
        summary: 'Lists the directories with a suite: those that `fleet.contests` of config.yaml lists, and their direct subdirectories.',
        response: { 200: z.object({ items: z.array(z.object({ directory: z.string() })) }) },
      },
    },
    async () => ({ items: suiteDirectories(directories).map((directory) => ({ directory })) }),
  )
  app.get(
    '/api/v1/suites/status',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'getSuiteStatus',
        summary: 'Returns the progress of each contest of a suite, without scores.',
        querystring,
        response: { 200: suiteStatusSchema },
      },
    },
    ({ query }) => command('suite status', ['--', namedDirectory(query.directory, directories)]),
  )
  app.get(
    '/api/v1/suites/report.html',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'getSuiteReportPage',
        summary: "Returns the report of a suite's results so far, as one self-contained page.",
        querystring,
        produces: ['text/html'],
        response: { 200: z.string() },
      },
    },
    async ({ query }, reply) => {
      const directory = namedDirectory(query.directory, directories)
      await command('suite report', ['--', directory])
      const page = await readRegular(new SuiteLayout(directory).html, maxReportBytes)
      if (!page.ok) throw new PaddockError('FILES_FAILED', 'The report of this suite exists but cannot be read.', { hint: 'Try again' })
      return reply.header('content-security-policy', reportPolicy()).type('text/html; charset=utf-8').send(page.bytes.toString('utf8'))
    },
  )
}
