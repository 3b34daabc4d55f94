import * as z from 'zod'
import { PaddockError } from '../../../base/errors.ts'
import { SuiteLayout } from '../../../contest/suite/config/suite-layout.ts'
import { suitePlanSchema, suiteResults, suiteStatusSchema } from '../../../contest/suite/suite-results.ts'
import { readRegular } from '../../../files/read-regular.ts'
import { safeNamePattern } from '../../../files/safe-name.ts'
import { suiteDirectories } from '../../../fleet/contests/allowed-directories.ts'
import { namedDirectory } from '../../../fleet/manifest/project-rights.ts'
import { maxReportBytes, reportPolicy } from '../../contest-reports.ts'
import type { App } from '../../server-deps.ts'
import { suiteCompareRoutes } from './suite-compare-routes.ts'
import { suiteContestRoutes } from './suite-contest-routes.ts'
import { type SuiteRoutes, suiteDirectory, workSchema } from './suite-schemas.ts'
import { suiteWorkRoutes } from './suite-work-routes.ts'

const querystring = z.strictObject({ directory: suiteDirectory })
const points = z.coerce.number().gt(0).max(100)

/** `/api/v1/suites`: suites in directories that the configuration lists. */
export function suiteRoutes(app: App, deps: SuiteRoutes): void {
  const { directories, command, suites } = deps
  suiteWorkRoutes(app, deps)
  suiteContestRoutes(app, deps)
  suiteCompareRoutes(app, deps)
  app.get(
    '/api/v1/suites',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'listSuites',
        summary: 'Lists the directories with a suite: those that `fleet.contests` of config.yaml lists, and their direct subdirectories.',
        response: {
          200: z.object({
            items: z.array(
              z.object({
                directory: z.string(),
                work: workSchema.nullable().describe('The newest command that was started over the API.'),
              }),
            ),
          }),
        },
      },
    },
    async () => {
      const works = new Map((await suites.list()).map((each) => [each.directory, each]))
      return { items: suiteDirectories(directories).map((directory) => ({ directory, work: works.get(directory) ?? null })) }
    },
  )
  app.get(
    '/api/v1/suites/plan',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'planSuite',
        summary: 'Returns what running the suite would do now: how many contests, participants and judges, at what cost. Starts nothing.',
        querystring: querystring.extend({
          only: z.string().regex(safeNamePattern).optional().describe('Plans only this brief.'),
        }),
        response: { 200: suitePlanSchema },
      },
    },
    ({ query: { directory, only } }) =>
      command('suite run --dry-run', [...(only === undefined ? [] : [`--only=${only}`]), '--', namedDirectory(directory, directories)]),
  )
  app.get(
    '/api/v1/suites/detection',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'planSuiteDetection',
        summary:
          'Returns how many briefs it takes to find a difference between participants, and which difference the suite finds as it is.',
        querystring: querystring.extend({
          detect: points.default(10).describe('The difference to find, in points of 100.'),
          sd: points.optional().describe('The standard deviation of differences over briefs; by default from the results so far.'),
        }),
        response: { 200: suiteResults['suite plan'] },
      },
    },
    ({ query: { directory, detect, sd } }) =>
      command('suite plan', [
        `--detect=${detect}`,
        ...(sd === undefined ? [] : [`--sd=${sd}`]),
        '--',
        namedDirectory(directory, directories),
      ]),
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
    '/api/v1/suites/report',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'getSuiteReport',
        summary: "Writes the report of a suite's results so far, and returns it as `paddock suite report --json` prints it.",
        querystring,
        response: { 200: suiteResults['suite report'] },
      },
    },
    ({ query }) => command('suite report', ['--', namedDirectory(query.directory, directories)]),
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
