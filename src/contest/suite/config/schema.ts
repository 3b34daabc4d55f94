import * as z from 'zod'
import { limitsSchema, milliseconds } from '../../../config/request/schema.ts'
import { contestSchema } from '../../config/schema.ts'

const caps = {
  money: z.number().positive().max(1e6).optional().describe('US dollars, as far as agents report costs.'),
  tokens: z.int().min(1).max(1e12).optional().describe('Tokens, of input and output together, as far as agents report them.'),
}

const own = contestSchema.shape

export const suiteSchema = z.strictObject({
  schemaVersion: z.literal(1, { error: 'must be 1' }).describe('The version of this format.'),
  name: own.name.describe('What the report calls the suite.'),
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
  repeats: z.int().min(1).max(100).default(1).describe('How often each brief is run, as a contest of its own each time.'),
  contest: contestSchema
    .omit({ schemaVersion: true, name: true, description: true, budget: true, parallel: true })
    .describe('What all contests of the suite have: the keys of contest.yaml, with paths from suite.yaml.'),
  budget: z
    .strictObject({
      ...caps,
      wall: milliseconds.optional().describe('Time since `paddock suite run` began.'),
      judges: z.strictObject(caps).optional().describe('What judges may use of it.'),
    })
    .optional()
    .describe(
      'What all contests may use together. No cell starts that would pass it if it used as much as the dearest of its kind so far; none is cut.',
    ),
  parallel: own.parallel,
  vendorCells: z.int().min(1).max(1000).optional().describe('Of these cells, at most so many with a model of one vendor.'),
  stagger: milliseconds.optional().describe('Time between the starts of two cells.'),
})

export const suiteBriefSchema = z.strictObject({
  schemaVersion: z.literal(1, { error: 'must be 1' }).describe('The version of this format.'),
  checks: own.checks.describe('Take the place of those in suite.yaml, with paths from the brief.'),
  rubric: own.rubric,
  oracle: own.oracle,
  start: own.start,
  workspace: own.workspace,
  mask: own.mask,
  outputs: own.outputs,
  timeouts: own.timeouts,
  limits: limitsSchema.optional().describe('For all participants, in place of those that suite.yaml gives them.'),
})

export type SuiteConfig = z.output<typeof suiteSchema>
