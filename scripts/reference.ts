// Writes docs/reference/ from the code: npm run reference
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { buildProgram } from '../src/cli/program.ts'
import { summarySchema } from '../src/contest/report/summary.ts'
import { contestJsonSchema } from '../src/contest/schema.ts'
import { cliPage } from './reference/cli.ts'
import { contestYamlPage } from './reference/contest-yaml.ts'
import { exitCodesPage } from './reference/exit-codes.ts'

export const referenceDirectory = fileURLToPath(new URL('../docs/reference', import.meta.url))

/** Every file of the reference: its name and its whole text. */
export function referenceFiles(): ReadonlyMap<string, string> {
  const contest = contestJsonSchema()
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
  return new Map([
    ['cli.md', cliPage(buildProgram())],
    ['contest-yaml.md', contestYamlPage(contest)],
    ['contest.schema.json', json(contest)],
    ['exit-codes.md', exitCodesPage()],
    ['summary.schema.json', json(z.toJSONSchema(summarySchema))],
  ])
}

if (import.meta.main) {
  const files = referenceFiles()
  mkdirSync(referenceDirectory, { recursive: true })
  for (const each of readdirSync(referenceDirectory)) if (!files.has(each)) rmSync(path.join(referenceDirectory, each))
  for (const [name, text] of files) writeFileSync(path.join(referenceDirectory, name), text)
}
