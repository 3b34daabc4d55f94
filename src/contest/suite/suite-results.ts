import * as z from 'zod'
import { archivedSchema } from '../archive/archived-schema.ts'
import { lintFields, plannedRoles, removalSchema, trustSchema } from '../result-parts.ts'
import { comparisonSchema } from './compare/comparison-schema.ts'
import { suiteSummarySchema } from './report/suite-summary.ts'

const schemaVersion = z.literal(1)
const parts = z.strictObject({ participants: z.int(), judges: z.int() })
const broken = z.array(z.strictObject({ path: z.string(), problem: z.string() }))

const suiteSummary = suiteSummarySchema.meta({ id: 'SuiteSummary' })

export const suitePlanSchema = z
  .strictObject({
    schemaVersion,
    suite: z.string(),
    contests: z.strictObject({ all: z.int(), open: z.int() }),
    broken,
    open: parts,
    parallel: z.int(),
    cost: z.strictObject({ money: z.number().nullable().describe('US dollars.'), unknown: z.int() }),
    each: plannedRoles.describe('Participants and judges that one contest would run.'),
  })
  .meta({ id: 'SuitePlan' })

const scale = z.strictObject({
  briefs: z.int(),
  cells: z.int().describe("The number of participants' runs and of judges that are asked."),
  money: z.number().nullable().describe('US dollars; null: no cost is known yet.'),
})

export const suiteStatusSchema = z
  .strictObject({
    schemaVersion,
    suite: z.string(),
    atWork: z.boolean().describe('Whether a process works on the whole suite.'),
    contests: z.array(
      z.strictObject({
        run: z.string().describe('The brief and the repeat: `parse-dates/2`.'),
        directory: z.string(),
        tags: z.array(z.string()).describe('The tags in brief.yaml.'),
        state: z.enum(['complete', 'unfinished', 'not-run']),
        atWork: z.boolean().describe('Whether a process works on it.'),
        open: parts.describe('Participants to run, and judges to ask.'),
        all: parts.describe('All participants, and all judges with work.'),
        costUsd: z.number().nullable().describe('The cost of its round so far; null if no cost is known.'),
      }),
    ),
    broken,
  })
  .meta({ id: 'SuiteStatus' })

/** The results of a command for each contest. */
const forEach = <S extends z.ZodType>(result: S) =>
  z.strictObject({ schemaVersion, suite: z.string(), contests: z.array(z.strictObject({ ...ofRun, result: result.nullable() })) })
const ofRun = {
  run: z.string().describe('The brief and the repeat: `parse-dates/2`.'),
  directory: z.string(),
  state: z.enum(['done', 'skipped', 'failed']),
  why: z.string().nullable().describe('Why it was skipped or failed.'),
}
const again = z.strictObject({ schemaVersion, suite: z.string(), contests: z.array(z.strictObject(ofRun)), summary: suiteSummary })

export const suiteResults = {
  'suite run': z.union([suiteSummary, suitePlanSchema]).describe('The second form is for --dry-run.'),
  'suite report': suiteSummary,
  'suite plan': z
    .strictObject({
      schemaVersion,
      suite: z.string(),
      detect: z.number().describe('The difference to find, in points of 100.'),
      sd: z
        .strictObject({ points: z.number(), from: z.enum(['results', 'option', 'assumed']) })
        .describe('The standard deviation, over briefs, of the difference between two participants.'),
      repeats: z.int(),
      now: scale,
      needed: scale.nullable().describe('Null if it would take more than 100,000 briefs.'),
      smallest: z.number().nullable().describe('The smallest difference that the suite finds as it is, in 80 of 100 cases.'),
    })
    .meta({ id: 'SuiteDetection' }),
  'suite compare': z
    .union([
      comparisonSchema,
      z.strictObject({
        schemaVersion,
        suite: z.string(),
        briefs: z.int(),
        pairs: z.int(),
        judged: z.strictObject({ contests: z.int(), open: z.int(), judges: z.int() }),
      }),
    ])
    .describe('The second form is for --dry-run.'),
  'suite status': suiteStatusSchema,
  'suite lint': z.strictObject({
    schemaVersion,
    suite: z.string(),
    briefs: z.array(z.strictObject({ brief: z.string(), findings: lintFields.findings, tried: lintFields.tried })),
  }),
  'suite new': z.strictObject({ schemaVersion, suite: z.string(), made: z.array(z.string()), briefs: z.array(z.string()) }),
  'suite import': z.strictObject({
    schemaVersion,
    suite: z.string(),
    tasks: z.array(
      z.strictObject({
        task: z.string(),
        brief: z.string().nullable().describe('Null if it was left out.'),
        reasons: z.array(z.string()),
        notes: z.array(z.string()),
      }),
    ),
  }),
  'suite from-git': z.strictObject({
    schemaVersion,
    suite: z.string(),
    commits: z.array(
      z.strictObject({
        commit: z.string(),
        subject: z.string(),
        brief: z.string().nullable().describe('Null if the commit was left out.'),
        reason: z.string().nullable().describe('Why it was left out.'),
        tests: z
          .strictObject({ fixed: z.int(), kept: z.int() })
          .nullable()
          .describe('The numbers of required tests; null if it was left out, or if the brief existed already.'),
      }),
    ),
    notes: z.array(z.string()),
  }),
  'suite trust': trustSchema,
  'suite clean': forEach(removalSchema).meta({ id: 'SuiteCleaned' }),
  'suite archive': forEach(archivedSchema),
  'suite rejudge': again,
  'suite refine': again,
  'suite cancel': z.strictObject({
    schemaVersion,
    ended: z.array(z.strictObject({ run: z.string().nullable().describe('Null for the whole suite.'), pid: z.int(), command: z.string() })),
  }),
}
