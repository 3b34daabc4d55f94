import * as z from 'zod'
import { SuiteLayout } from '../../contest/suite/config/suite-layout.ts'
import { PaddockError } from '../../errors.ts'
import { readRegular } from '../../files/read-regular.ts'
import { suiteDirectories } from '../../fleet/contests/directories.ts'
import { namedDirectory } from '../../fleet/manifest/projects.ts'
import type { App } from '../deps.ts'
import { type ContestRoutes, maxReportBytes, reportPolicy } from './contests.ts'

const querystring = z.strictObject({
  directory: z.string().min(1).max(4096).describe('Of this machine; `fleet.contests` of config.yaml lists which may be named.'),
})

/** `/api/v1/suites`: suites in directories that the configuration lists. They run on the machine; here they are only shown. */
export function suiteRoutes(app: App, { directories, command }: Pick<ContestRoutes, 'directories' | 'command'>): void {
  app.get(
    '/api/v1/suites',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'listSuites',
        summary: 'The directories with a suite among those that `fleet.contests` of config.yaml lists, and what is just below.',
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
        summary: 'How far each contest of a suite is. It has no scores.',
        querystring,
        response: { 200: z.looseObject({}).describe('As `paddock suite status --json` prints it.') },
      },
    },
    async ({ query }) =>
      z.looseObject({}).parse(await command(['suite', 'status', '--json', '--', namedDirectory(query.directory, directories)])),
  )
  app.get(
    '/api/v1/suites/report.html',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'getSuiteReportPage',
        summary: 'The report over what there is of a suite, as one page that fetches nothing.',
        querystring,
        produces: ['text/html'],
        response: { 200: z.string() },
      },
    },
    async ({ query }, reply) => {
      const directory = namedDirectory(query.directory, directories)
      await command(['suite', 'report', '--json', '--', directory])
      const page = await readRegular(new SuiteLayout(directory).html, maxReportBytes)
      if (!page.ok) throw new PaddockError('FILES_FAILED', 'The report of this suite was made, and cannot be read.', { hint: 'Try again' })
      return reply.header('content-security-policy', reportPolicy()).type('text/html; charset=utf-8').send(page.bytes.toString('utf8'))
    },
  )
}
