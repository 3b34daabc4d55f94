import { existsSync } from 'node:fs'
import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { Layout } from '../../contest/config/contest-layout.ts'
import type { Summary } from '../../contest/ranking/contest-summary.ts'
import { currentReport } from '../../contest/report/current-report.ts'
import { reportAssets } from '../../contest/report/page/assets.ts'
import { contestSummary, planSchema, standingSchema } from '../../contest/result-parts.ts'
import { readRegular } from '../../files/read-regular.ts'
import { contestDirectories } from '../../fleet/contests/allowed-directories.ts'
import { ContestFiles } from '../../fleet/contests/came-of-it.ts'
import type { ContestRun, ContestRuns } from '../../fleet/contests/contest-runs.ts'
import { type NamedDirectories, namedDirectory, usedDirectory } from '../../fleet/manifest/project-rights.ts'
import { callerOf } from '../access/caller.ts'
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
/** Returns the policy for the report, which contains foreign text: only its own script runs, nothing is loaded, its origin is opaque. */
export const reportPolicy = (): string =>
  [
    "default-src 'none'",
    `script-src ${reportAssets().scriptSource}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')
/** The largest report, in bytes: several times the size of one with all submissions. */
export const maxReportBytes = 128 * 1024 * 1024
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
  const making = new Map<string, Promise<Summary>>()
  /** Makes a report. Requests that come meanwhile wait for the same process. */
  const make = (directory: string): Promise<Summary> => {
    const made = making.get(directory) ?? command('contest report', ['--', directory]).finally(() => making.delete(directory))
    making.set(directory, made)
    return made
  }
  const statusOf = async (contest: ContestRun, directory: string): Promise<z.input<typeof standingSchema> | null> => {
    const isOver = contest.state === 'done' && !(await contests.isAtWork(directory))
    const current = () => currentReport(directory)
    const report = isOver ? ((await current()) ?? (await make(directory).then(current, () => null))) : null
    if (report !== null) return { ...report.status, atWork: false }
    return await command('contest status', ['--', directory]).catch(() => null)
  }
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
      return { ...contest, status: await statusOf(contest, directory), hasProject: existsSync(new Layout(directory).project) }
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
    async ({ params }) => {
      const directory = await ended(params.contest)
      return (await currentReport(directory))?.summary ?? (await make(directory))
    },
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
      const directory = await ended(params.contest)
      const read = () => readRegular(new Layout(directory).html, maxReportBytes)
      if ((await currentReport(directory)) === null) await make(directory)
      let page = await read()
      // The policy allows only the script of this version.
      if (page.ok && !page.bytes.includes(reportAssets().script)) page = await make(directory).then(read)
      if (!page.ok) throw new PaddockError('FILES_FAILED', 'The report of this contest exists but cannot be read.', { hint: 'Try again' })
      return reply.header('content-security-policy', reportPolicy()).type('text/html; charset=utf-8').send(page.bytes.toString('utf8'))
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
