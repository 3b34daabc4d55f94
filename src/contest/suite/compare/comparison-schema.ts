import * as z from 'zod'

const points = 'Points of 100.'

export const measureNames = ['score', 'checks', 'delivered', 'cost', 'time'] as const
export type MeasureName = (typeof measureNames)[number]

const measureSchema = z.strictObject({
  name: z.enum(measureNames),
  basis: z
    .enum(['side-by-side', 'as-judged', 'as-measured'])
    .describe('side-by-side: judges saw both works blind in one new task; as-judged: scores of the old judgings, which never gate.'),
  base: z.number().describe('The mean over briefs: points of 100, US dollars, or milliseconds.'),
  new: z.number(),
  difference: z.number().describe('New minus base in points; for cost and time the ratio new to base.'),
  briefs: z.int().describe('The number of briefs with this measure in both runs.'),
  interval: z
    .strictObject({ low: z.number(), high: z.number() })
    .nullable()
    .describe('The 95% interval of the difference; null for fewer than three briefs.'),
  pWorse: z.number().nullable().describe('The one-sided probability of such a loss if there is no difference.'),
  verdict: z.enum(['worse', 'better', 'not-seen', 'too-few']).describe('Tested for all participants together (Holm).'),
  finds: z.number().nullable().describe('The smallest loss that is found in 80 of 100 such comparisons; for cost and time a ratio.'),
})
export type Measure = z.output<typeof measureSchema>

const sideSchema = z.strictObject({
  name: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  versions: z.array(z.string()),
  attempts: z.int(),
  failed: z.int().describe('Attempts that failed for reasons other than the work, or that were not run. They are not compared.'),
})

const gateResultSchema = z.strictObject({
  gate: z.string(),
  participant: z.string(),
  measure: z.enum([...measureNames, 'infrastructure']),
  state: z.enum(['passed', 'failed', 'untested']),
  why: z.string().nullable().describe('Why it was not tested; for infrastructure, why it failed.'),
  finds: z.number().nullable().describe('The smallest loss that this gate finds in 80 of 100 such comparisons.'),
})
export type GateResult = z.output<typeof gateResultSchema>

const briefSideSchema = z.strictObject({
  score: z.number().nullable().describe(`${points} Null: not judged.`),
  checks: z.number().nullable().describe(points),
  delivered: z.int(),
  attempts: z.int(),
  outcomes: z.array(z.string()).describe('How the attempts ended that delivered nothing.'),
})

const comparedBriefSchema = z.strictObject({
  brief: z.string(),
  participant: z.string(),
  base: briefSideSchema,
  new: briefSideSchema,
  difference: z.number().nullable().describe('By the measure that decides, new minus base, in points of 100.'),
  contests: z.array(z.string()).describe('The contests in which judges saw both works, relative to the new suite.'),
  reasons: z.array(z.strictObject({ judge: z.string(), base: z.string().nullable(), new: z.string().nullable() })),
})
export type ComparedBrief = z.output<typeof comparedBriefSchema>

export const comparisonSchema = z
  .strictObject({
    schemaVersion: z.literal(1),
    suite: z.string(),
    generatedAt: z.string(),
    base: z.string().describe('The directory of the suite, and `@N` for round N of its contests.'),
    new: z.string(),
    decides: z.enum(['score', 'checks', 'delivered']).describe('The measure by which the new suite ranks, if both runs have it.'),
    sentences: z.array(z.string()).describe('One for each participant, regressions first.'),
    participants: z.array(
      z.strictObject({
        base: sideSchema,
        new: sideSchema,
        isComparable: z
          .boolean()
          .describe(
            'False: over a fifth of the attempts of a run failed for reasons other than the work, or of the pairs were not judged.',
          ),
        whyNot: z.string().nullable().describe('Why it is not comparable.'),
        measures: z.array(measureSchema),
      }),
    ),
    gates: z.array(gateResultSchema),
    isFailed: z.boolean().describe('A gate failed or could not be tested. The exit code is then 1.'),
    briefs: z.array(comparedBriefSchema).describe('The worst difference first.'),
    leftOut: z.array(z.strictObject({ brief: z.string(), why: z.string() })),
    judges: z.array(z.strictObject({ name: z.string(), answered: z.int(), failed: z.boolean().describe('It failed a control.') })),
    trend: z.array(
      z.strictObject({
        run: z.string(),
        at: z.string().nullable().describe('The time of the last change of its contests.'),
        participant: z.string(),
        delivered: z.number().nullable().describe('The share of attempts, from 0 to 1.'),
        checks: z.number().nullable().describe(points),
        asJudged: z.number().nullable().describe(`${points} From the judging of that run, whose judges may have been milder or stricter.`),
        costUsd: z.number().nullable().describe('For each attempt.'),
        durationMs: z.number().nullable(),
      }),
    ),
    spentUsd: z.number().describe('What the judges of this comparison reported as cost.'),
    notes: z.array(z.string()),
  })
  .meta({ id: 'SuiteComparison' })
export type Comparison = z.output<typeof comparisonSchema>
