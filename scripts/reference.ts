// Writes docs/reference/ from the code: npm run reference
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { buildProgram } from '../src/cli/program.ts'
import { configJsonSchema } from '../src/config/config-schema.ts'
import { contestJsonSchema } from '../src/contest/config/contest-schema.ts'
import { scoresAnswerSchema, scoresFileSchema, verdictAnswerSchema, verdictFileSchema } from '../src/contest/judging/answer-files.ts'
import { taskFileSchema } from '../src/contest/judging/task-file.ts'
import { summarySchema } from '../src/contest/ranking/contest-summary.ts'
import { statusSchema } from '../src/contest/state/contest-state.ts'
import { eventSchema } from '../src/contest/state/event-line.ts'
import { suiteBriefSchema, suiteSchema } from '../src/contest/suite/config/suite-schema.ts'
import { suiteSummarySchema } from '../src/contest/suite/report/suite-summary.ts'
import { guaranteesDocument } from '../src/guarantees/guarantee-document.ts'
import { type RecordedRun, recordedSchema } from '../src/guarantees/recorded-runs.ts'
import { apiErrorsPage } from './reference/api-errors.ts'
import { cliPage } from './reference/cli.ts'
import { configurationPage } from './reference/configuration.ts'
import { contestYamlPage, suiteYamlPage } from './reference/contest-yaml.ts'
import { exitCodesPage } from './reference/exit-codes.ts'
import { clientTypes, openApiDocument } from './reference/openapi.ts'
import { protectedNamesPage } from './reference/protected-names.ts'
import { resultsSchema } from './reference/results.ts'

export const referenceDirectory = fileURLToPath(new URL('../docs/reference', import.meta.url))

/** The file of the client's types. */
export const clientFile = fileURLToPath(new URL('../src/client/api.ts', import.meta.url))

export const guaranteesFile = path.join(referenceDirectory, '../GUARANTEES.md')

/** The recorded runs of `paddock verify` that docs/GUARANTEES.md shows: files of the directory `verified` in Paddock's state. */
const verifiedDirectory = path.join(referenceDirectory, '../verified')

/** Returns the recorded runs of docs/verified, the newest first. Throws if one cannot be read. */
export function verifiedRuns(): readonly RecordedRun[] {
  if (!existsSync(verifiedDirectory)) return []
  return readdirSync(verifiedDirectory, { recursive: true, encoding: 'utf8' })
    .filter((each) => each.endsWith('.json'))
    .map((each) => recordedSchema.parse(JSON.parse(readFileSync(path.join(verifiedDirectory, each), 'utf8'))))
    .toSorted((one, other) => (one.at < other.at ? 1 : -1))
}

/** Returns every file of the reference: its name and its whole text. */
export async function referenceFiles(): Promise<ReadonlyMap<string, string>> {
  const contest = contestJsonSchema()
  const suite = z.toJSONSchema(suiteSchema, { io: 'input' })
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
  return new Map([
    ['answer-scores.schema.json', json(z.toJSONSchema(scoresAnswerSchema))],
    ['answer-verdict.schema.json', json(z.toJSONSchema(verdictAnswerSchema))],
    ['api-errors.md', apiErrorsPage()],
    ['cli.md', cliPage(await buildProgram())],
    ['config.schema.json', json(configJsonSchema('user'))],
    ['configuration.md', configurationPage(configJsonSchema('user'), configJsonSchema('project'))],
    ['contest-yaml.md', contestYamlPage(contest)],
    ['contest.schema.json', json(contest)],
    ['events.schema.json', json(z.toJSONSchema(eventSchema))],
    ['exit-codes.md', exitCodesPage()],
    ['openapi.json', json(await openApiDocument())],
    ['project.schema.json', json(configJsonSchema('project'))],
    ['protected-names.md', protectedNamesPage()],
    ['results.schema.json', resultsSchema()],
    ['suite-summary.schema.json', json(z.toJSONSchema(suiteSummarySchema))],
    ['suite-yaml.md', suiteYamlPage(suite, z.toJSONSchema(suiteBriefSchema, { io: 'input' }))],
    ['suite.schema.json', json(suite)],
    ['scores.schema.json', json(z.toJSONSchema(scoresFileSchema, { io: 'input' }))],
    ['status.schema.json', json(z.toJSONSchema(statusSchema))],
    ['summary.schema.json', json(z.toJSONSchema(summarySchema))],
    ['task.schema.json', json(z.toJSONSchema(taskFileSchema))],
    ['verdict.schema.json', json(z.toJSONSchema(verdictFileSchema, { io: 'input' }))],
  ])
}

if (import.meta.main) {
  const files = await referenceFiles()
  mkdirSync(referenceDirectory, { recursive: true })
  for (const each of readdirSync(referenceDirectory)) if (!files.has(each)) rmSync(path.join(referenceDirectory, each))
  for (const [name, text] of files) writeFileSync(path.join(referenceDirectory, name), text)
  writeFileSync(guaranteesFile, guaranteesDocument(verifiedRuns()))
  writeFileSync(clientFile, await clientTypes(JSON.parse(files.get('openapi.json') ?? '{}')))
}
