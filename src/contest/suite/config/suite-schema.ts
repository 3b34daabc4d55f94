import * as z from 'zod'
import { limitsSchema, milliseconds } from '../../../config/request/request-schema.ts'
import { contestSchema } from '../../config/contest-schema.ts'

const caps = {
  money: z.number().positive().max(1e6).optional().describe('US dollars, as far as agents report costs.'),
  tokens: z.int().min(1).max(1e12).optional().describe('Tokens, of input and output together, as far as agents report them.'),
}

const own = contestSchema.shape

export const suiteSchema = z.strictObject({
  schemaVersion: z.literal(1, { error: 'must be 1' }).describe('The version of this format.'),
  name: own.name.describe('The title of the suite in the report.'),
  description: own.description,
  briefs: z
    .array(
      z
        .string()
        .regex(/^(?!\/)[^\0]+$/, { error: 'must be a path relative to suite.yaml' })
        .refine((value) => !value.split('/').includes('..'), { error: 'must stay inside the suite' }),
    )
    .min(1, { error: 'needs at least one path' })
    .max(1000)
    .describe('Directories with a BRIEF.md, as paths or globs such as `briefs/*`.'),
  repeats: z.int().min(1).max(100).default(1).describe('How often each brief is run, each time as a separate contest.'),
  contest: contestSchema
    .omit({ schemaVersion: true, name: true, description: true, budget: true, parallel: true })
    .describe('Keys of contest.yaml that apply to all contests of the suite, with paths relative to suite.yaml.'),
  budget: z
    .strictObject({
      ...caps,
      wall: milliseconds.optional().describe('Time since `paddock suite run` started.'),
      judges: z.strictObject(caps).optional().describe('The part of it that judges may use.'),
    })
    .optional()
    .describe(
      'What all contests together may use. No cell starts that would exceed it if it used as much as the most expensive of its kind so far. Running cells are not stopped.',
    ),
  parallel: own.parallel,
  vendorCells: z.int().min(1).max(1000).optional().describe('How many of these cells may use a model of one vendor.'),
  stagger: milliseconds.optional().describe('Time between the starts of two cells.'),
})

export const suiteBriefSchema = z.strictObject({
  schemaVersion: z.literal(1, { error: 'must be 1' }).describe('The version of this format.'),
  tags: z
    .array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,23}$/, { error: 'must be a word of at most 24 lower-case letters, digits and hyphens' }))
    .max(10)
    .default([])
    .describe('Words that group briefs in the results, such as the language and the kind of work.'),
  fromCommit: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/, { error: 'must be the id of a commit' })
    .optional()
    .describe('The commit that `suite from-git` made the brief from.'),
  checks: own.checks.describe('Replace those in suite.yaml, with paths relative to the brief.'),
  rubric: own.rubric,
  oracle: own.oracle,
  start: own.start,
  workspace: own.workspace,
  mask: own.mask,
  posture: own.posture,
  backend: own.backend,
  outputs: own.outputs,
  timeouts: own.timeouts,
  limits: limitsSchema.optional().describe('For all participants, instead of the files that suite.yaml gives them.'),
})

export type SuiteConfig = z.output<typeof suiteSchema>
