import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { suiteResults } from '../../../contest/suite/suite-results.ts'
import { safeNamePattern } from '../../../files/safe-name.ts'
import type { SuiteCommand, SuiteOrder, SuiteWork } from '../../../fleet/contests/suite-works.ts'
import { namedDirectory } from '../../../fleet/manifest/project-rights.ts'
import { callerOf } from '../../access/caller.ts'
import type { App } from '../../server-deps.ts'
import { type SuiteRoutes, suiteDirectory, workSchema } from './suite-schemas.ts'

const names = z.array(z.string().regex(safeNamePattern)).max(1000).default([])
const body = z.strictObject({
  directory: suiteDirectory,
  only: names.describe('The names of the briefs; empty: all.'),
})
const parallel = z.int().min(1).max(64).optional().describe('Cells at the same time.')
type SuiteWish = Omit<SuiteOrder, 'requestedBy' | 'command'>
const outlives = 'It keeps running if the server ends.'

/** Commands on a whole suite. Long ones run in processes that outlive the server; a suite has at most one at a time. */
export function suiteWorkRoutes(app: App, { directories, command, suites }: SuiteRoutes): void {
  const begin = (request: FastifyRequest, command: SuiteCommand, { directory, ...order }: SuiteWish): Promise<SuiteWork> =>
    suites.start({ ...order, directory: namedDirectory(directory, directories), requestedBy: callerOf(request).name, command })
  app.get(
    '/api/v1/suites/work',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'getSuiteWork',
        summary: 'Returns the newest command on a suite that was started over the API.',
        querystring: z.strictObject({ directory: suiteDirectory }),
        response: { 200: z.object({ work: workSchema.nullable().describe('Null if none was started.') }) },
      },
    },
    async ({ query }) => ({ work: await suites.of(namedDirectory(query.directory, directories)) }),
  )
  app.post(
    '/api/v1/suites',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'startSuite',
        summary: `Runs all unfinished contests of a suite, and reports. ${outlives}`,
        body: body.extend({
          retry: z.boolean().default(false).describe('Also runs participants and judges again that did not finish.'),
          parallel,
        }),
        response: { 202: workSchema },
      },
    },
    async (request, reply) => reply.code(202).send(await begin(request, 'run', request.body)),
  )
  app.post(
    '/api/v1/suites/rejudge',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'rejudgeSuite',
        summary: `Has all judges judge each contest of a suite again, under new labels, and reports. ${outlives}`,
        body: body.extend({ parallel }),
        response: { 202: workSchema },
      },
    },
    async (request, reply) => reply.code(202).send(await begin(request, 'rejudge', request.body)),
  )
  app.post(
    '/api/v1/suites/refine',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'refineSuite',
        summary: `Starts a new round of each contest of a suite from its submissions, and reports. ${outlives}`,
        body: body.extend({
          participants: names.describe('The participants that run again; empty: all. The others keep their seals.'),
          parallel,
        }),
        response: { 202: workSchema },
      },
    },
    async (request, reply) => reply.code(202).send(await begin(request, 'refine', request.body)),
  )
  app.post(
    '/api/v1/suites/archive',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'archiveSuite',
        summary: `Writes an archive of each contest to report/archives in the suite, unless it exists. ${outlives}`,
        body: body.extend({ withLogs: z.boolean().default(false).describe('Includes transcripts and output of agents.') }),
        response: { 202: workSchema },
      },
    },
    async (request, reply) => reply.code(202).send(await begin(request, 'archive', request.body)),
  )
  app.post(
    '/api/v1/suites/cancel',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'cancelSuite',
        summary:
          'Ends the cells of a suite, then the command that works on it. Finished work is kept, and the same command continues later.',
        body: z.strictObject({ directory: suiteDirectory }),
        response: { 202: workSchema },
      },
    },
    async ({ body }, reply) => reply.code(202).send(await suites.cancel(namedDirectory(body.directory, directories))),
  )
  app.get(
    '/api/v1/suites/leftovers',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'listSuiteLeftovers',
        summary: 'Returns what cleaning a suite would remove: work directories that are sealed, and other copies.',
        querystring: z.strictObject({ directory: suiteDirectory }),
        response: { 200: suiteResults['suite clean'] },
      },
    },
    ({ query }) => command('suite clean --dry-run', ['--', namedDirectory(query.directory, directories)]),
  )
  app.post(
    '/api/v1/suites/clean',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'cleanSuite',
        summary: 'Removes work directories of a suite that are sealed, and other copies. Seals and results are kept.',
        body,
        response: { 200: suiteResults['suite clean'] },
      },
    },
    ({ body: { directory, only } }) =>
      command('suite clean', [...(only.length === 0 ? [] : [`--only=${only.join(',')}`]), '--', namedDirectory(directory, directories)]),
  )
}
