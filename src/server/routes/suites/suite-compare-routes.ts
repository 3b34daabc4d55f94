import { readdir } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { PaddockError } from '../../../base/errors.ts'
import { type Comparison, comparisonSchema } from '../../../contest/suite/compare/comparison-schema.ts'
import { SuiteLayout } from '../../../contest/suite/config/suite-layout.ts'
import { kindBelow } from '../../../files/kind-below.ts'
import { readRegular } from '../../../files/read-regular.ts'
import { namedDirectory } from '../../../fleet/manifest/project-rights.ts'
import { callerOf } from '../../access/caller.ts'
import { maxReportBytes, reportPolicy } from '../../contest-reports.ts'
import type { App } from '../../server-deps.ts'
import { type SuiteRoutes, suiteDirectory, workSchema } from './suite-schemas.ts'

const name = z
  .string()
  .regex(/^(?!\.{1,2}$)[^/\0]{1,255}$/)
  .describe('The name of the comparison, from the list.')
const condition = z.string().min(1).max(100)

/** Comparisons of a suite with earlier runs. */
export function suiteCompareRoutes(app: App, { directories, suites }: Pick<SuiteRoutes, 'directories' | 'suites'>): void {
  app.post(
    '/api/v1/suites/compare',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'compareSuite',
        summary: 'Compares a suite with an earlier run. Judges see both works blind in one new task. It keeps running if the server ends.',
        body: z.strictObject({
          directory: suiteDirectory,
          base: suiteDirectory.describe('The earlier run: an allowed directory, which may be the same one with a round.'),
          round: z.int().min(1).max(1_000_000).optional().describe('The round of the contests of the base; by default the newest.'),
          failIf: z.array(condition).max(20).default([]).describe('Conditions such as `worse by 3` or `cost worse by 20%`.'),
          asJudged: z.boolean().default(false).describe('Whether to use the scores of the old judgings, which never gate.'),
          budget: z.number().positive().max(1e6).optional().describe('US dollars that the judges may cost.'),
        }),
        response: { 202: workSchema },
      },
    },
    async (request, reply) => {
      const { directory, base, ...order } = request.body
      const named = { directory: namedDirectory(directory, directories), base: namedDirectory(base, directories) }
      return reply
        .code(202)
        .send(await suites.start({ ...order, ...named, requestedBy: callerOf(request).name, command: 'compare', only: [] }))
    },
  )
  app.get(
    '/api/v1/suites/comparisons',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'listSuiteComparisons',
        summary: 'Lists the comparisons of a suite with earlier runs, the newest first.',
        querystring: z.strictObject({ directory: suiteDirectory }),
        response: {
          200: z.object({
            items: z.array(
              comparisonSchema
                .pick({ base: true, new: true, generatedAt: true, sentences: true, isFailed: true, gates: true })
                .extend({ name }),
            ),
          }),
        },
      },
    },
    async ({ query }) => {
      const layout = new SuiteLayout(namedDirectory(query.directory, directories))
      const names = await readdir(reportsOf(layout)).catch(() => [])
      const read = await Promise.all(names.map(async (each) => ({ each, comparison: await comparisonOf(layout, each) })))
      const items = read.flatMap(({ each, comparison }) => {
        if (comparison === null) return []
        const { base, new: now, generatedAt, sentences, isFailed, gates } = comparison
        return [{ name: each, base, new: now, generatedAt, sentences, isFailed, gates }]
      })
      return { items: items.toSorted((a, b) => b.generatedAt.localeCompare(a.generatedAt)) }
    },
  )
  app.get(
    '/api/v1/suites/comparison',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'getSuiteComparison',
        summary: 'Returns a comparison of a suite, as `paddock suite compare --json` prints it.',
        querystring: z.strictObject({ directory: suiteDirectory, name }),
        response: { 200: comparisonSchema },
      },
    },
    async ({ query }) => {
      const comparison = await comparisonOf(new SuiteLayout(namedDirectory(query.directory, directories)), query.name)
      if (comparison === null) throw missing(query.name)
      return comparison
    },
  )
  app.get(
    '/api/v1/suites/comparison.html',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'getSuiteComparisonPage',
        summary: 'Returns a comparison of a suite as one self-contained page.',
        querystring: z.strictObject({ directory: suiteDirectory, name }),
        produces: ['text/html'],
        response: { 200: z.string() },
      },
    },
    async ({ query }, reply) => {
      const page = await fileOf(new SuiteLayout(namedDirectory(query.directory, directories)), query.name, 'comparison.html')
      if (page === null) throw missing(query.name)
      return reply.header('content-security-policy', reportPolicy()).type('text/html; charset=utf-8').send(page)
    },
  )
}

const reportsOf = (layout: SuiteLayout): string => path.join(layout.comparisons, 'reports')

async function fileOf(layout: SuiteLayout, name: string, file: string): Promise<string | null> {
  const at = path.join(reportsOf(layout), name, file)
  if (kindBelow(layout.root, at) !== 'file') return null
  const read = await readRegular(at, maxReportBytes)
  return read.ok ? read.bytes.toString('utf8') : null
}

/** Returns a comparison; null: there is none of this name that can be read. */
async function comparisonOf(layout: SuiteLayout, name: string): Promise<Comparison | null> {
  const text = await fileOf(layout, name, 'comparison.json')
  try {
    return text === null ? null : comparisonSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function missing(name: string): PaddockError {
  return new PaddockError('NOT_FOUND', `This suite has no comparison of the name ${name}.`)
}
