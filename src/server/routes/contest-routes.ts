import { existsSync } from 'node:fs'
import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { Layout } from '../../contest/config/contest-layout.ts'
import { contestSummary, planSchema, standingSchema } from '../../contest/result-parts.ts'
import { contestDirectories } from '../../fleet/contests/allowed-directories.ts'
import { ContestFiles } from '../../fleet/contests/came-of-it.ts'
import type { ContestRun, ContestRuns } from '../../fleet/contests/contest-runs.ts'
import { type NamedDirectories, namedDirectory, usedDirectory } from '../../fleet/manifest/project-rights.ts'
import { callerOf } from '../access/caller.ts'
import { ContestReports, reportPolicy } from '../contest-reports.ts'
import type { OwnCommand } from '../own-command.ts'
import type { App } from '../server-deps.ts'
import { contestChangeRoutes } from './contest-changes-routes.ts'

export interface ContestRoutes {
  readonly contests: ContestRuns
  readonly directories: NamedDirectories
  readonly command: OwnCommand
}

const contestSchema = z
  .object({
    id: z.string(),
    directory: z.string(),
    requestedBy: z.string(),
    startedAt: z.string(),
    state: z.enum(['running', 'done', 'failed', 'cancelled']),
    problem: z.string().nullable().describe('Why it ended without a report; null if it did not.'),
  })
  .meta({ id: 'Contest' })
const cameOfIt = {
  verdict: z.string().nullable().describe('The leader and how certain that is. Null if the contest is not done, or no judge gave scores.'),
  costUsd: z.number().nullable().describe('The cost of its round so far; null if no cost is known.'),
}
const params = z.object({ contest: z.string().max(64).describe('Its id.') })

/** `/api/v1/contests`: contests in directories of this machine that the configuration lists. */
export function contestRoutes(app: App, { contests, directories, command }: ContestRoutes): void {
  const files = new ContestFiles()
  const found = async (id: string): Promise<ContestRun> => {
    const contest = await contests.get(id)
    if (contest === null) throw new PaddockError('NOT_FOUND', `There is no contest ${id}.`, { hint: 'GET /api/v1/contests lists them' })
    return contest
  }
  const usable = ({ directory }: ContestRun): string => usedDirectory(directory, 'directory', directories)
  /** Null: an agent may have put something else in its place. */
  const standing = (contest: ContestRun): string | null => {
    try {
      return usable(contest)
    } catch {
      return null
    }
  }
  /** Returns the directory of a contest that no process works on. */
  const ended = async (id: string): Promise<string> => {
    const directory = usable(await found(id))
    await contests.refuseAtWork(directory)
    return directory
  }
  const reports = new ContestReports(command)
  contestChangeRoutes(app, { ended, command })
  app.get(
    '/api/v1/contests',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'listContests',
        summary: 'Lists the contests that were started over the API, newest first; at most 200.',
        response: { 200: z.object({ items: z.array(contestSchema.extend(cameOfIt)) }) },
      },
    },
    async () => {
      const all = await contests.list()
      const cameOf = async (each: ContestRun) => {
        const directory = standing(each)
        const { verdict, costUsd } = directory === null ? { verdict: null, costUsd: null } : await files.cameOf(directory)
        // The files of the directory may already be those of a running round, under whichever record.
        const isSealed = each.state !== 'done' || verdict === null || (await contests.isAtWork(each.directory, all))
        return { ...each, verdict: isSealed ? null : verdict, costUsd }
      }
      return { items: await Promise.all(all.slice(0, 200).map(cameOf)) }
    },
  )
  app.get(
    '/api/v1/contests/directories',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'listContestDirectories',
        summary:
          'Lists directories with a contest that may be started: those that `fleet.contests` of config.yaml lists, and their direct subdirectories.',
        response: { 200: z.object({ items: z.array(z.object({ directory: z.string() })) }) },
      },
    },
    async () => ({ items: contestDirectories(directories).map((directory) => ({ directory })) }),
  )
  app.get(
    '/api/v1/contests/plan',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'planContest',
        summary:
          'Returns what starting the contest of a directory would do now: who would run, in how many cells, at what cost. Starts nothing.',
        querystring: z.strictObject({ directory: z.string().min(1).max(4096).describe('The same directory as to start it.') }),
        response: { 200: planSchema },
      },
    },
    ({ query }) => command('contest run --dry-run', ['--', namedDirectory(query.directory, directories)]),
  )
  app.post(
    '/api/v1/contests',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'startContest',
        summary: 'Runs the contest of a directory, or continues it. It keeps running if the server ends.',
        body: z.strictObject({
          directory: z
            .string()
            .min(1)
            .max(4096)
            .describe('A directory on this machine. `fleet.contests` of config.yaml lists which are allowed.'),
          retry: z.boolean().default(false).describe('Also runs participants and judges again that did not finish.'),
          parallel: z.int().min(1).max(64).optional().describe('Cells at the same time.'),
        }),
        response: { 202: contestSchema },
      },
    },
    async (request, reply) => {
      const { directory, retry, parallel } = request.body
      const real = namedDirectory(directory, directories)
      return reply.code(202).send(await contests.start({ directory: real, requestedBy: callerOf(request).name, retry, parallel }))
    },
  )
  app.get(
    '/api/v1/contests/:contest',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getContest',
        summary: 'Returns one contest and its progress.',
        params,
        response: {
          200: contestSchema.extend({
            status: standingSchema.nullable().describe('Null if not known.'),
            hasProject: z.boolean().describe('Whether it was made from a project, to which work can be applied.'),
          }),
        },
      },
    },
    async ({ params }) => {
      const contest = await found(params.contest)
      const directory = standing(contest)
      if (directory === null) return { ...contest, status: null, hasProject: false }
      const isOver = contest.state === 'done' && !(await contests.isAtWork(directory))
      return { ...contest, status: await reports.standing(directory, isOver), hasProject: existsSync(new Layout(directory).project) }
    },
  )
  app.get(
    '/api/v1/contests/:contest/report',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getContestReport',
        summary: 'Returns the report of a contest that has ended, as `paddock contest report --json` prints it.',
        params,
        response: { 200: contestSummary },
      },
    },
    async ({ params }) => await reports.summary(await ended(params.contest)),
  )
  app.get(
    '/api/v1/contests/:contest/report.html',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getContestReportPage',
        summary: 'Returns the report of a contest that has ended, with its submissions, as one self-contained page.',
        params,
        produces: ['text/html'],
        response: { 200: z.string() },
      },
    },
    async ({ params }, reply) => {
      const page = await reports.page(await ended(params.contest))
      return reply.header('content-security-policy', reportPolicy()).type('text/html; charset=utf-8').send(page)
    },
  )
  app.post(
    '/api/v1/contests/:contest/cancel',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'cancelContest',
        summary: 'Ends the cells of a contest, then the contest. Sealed work is kept, and the contest can be continued later.',
        params,
        response: { 202: contestSchema },
      },
    },
    async ({ params }, reply) => {
      const contest = await found(params.contest)
      if (!(await contests.cancel(contest.id)))
        throw new PaddockError('CONFLICT', `The contest ${contest.id} has ended: ${(await found(contest.id)).state}.`)
      return reply.code(202).send(contest)
    },
  )
  app.delete(
    '/api/v1/contests/:contest',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'forgetContest',
        summary: 'Forgets a contest that has ended. Its directory is left unchanged.',
        params,
        response: { 204: z.undefined() },
      },
    },
    async ({ params }, reply) => {
      const contest = await found(params.contest)
      if (contest.state === 'running')
        throw new PaddockError('CONFLICT', `The contest ${contest.id} is running.`, { hint: 'Cancel it first' })
      await contests.forget(contest.id)
      return reply.code(204).send()
    },
  )
}
