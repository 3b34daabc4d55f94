import * as z from 'zod'
import { postures } from '../../../base/posture.ts'
import { againstBaseSchema } from '../../ranking/against-base-schema.ts'
import { agreementSchema, boardSchema, reportCardSchema, spread, strengthSchema, verdictSchema } from '../../ranking/contest-summary.ts'

/**
 * A share of attempts. `share` is the mean over briefs, from 0 to 1. Its 95% interval is Wilson's, with the number of briefs as the number
 * of attempts, because attempts at the same brief depend on each other. Null: there are no attempts.
 */
const shareSchema = z.strictObject({
  hits: z.int(),
  of: z.int(),
  share: z.number().nullable(),
  interval: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
})

const usedSchema = z.strictObject({
  /** The sum over all attempts that reported a cost. Null: none did. */
  costUsd: z.number().nullable(),
  tokens: z.strictObject({ input: z.number(), output: z.number() }).nullable(),
  durationMs: z.number(),
})

const competitorSchema = z.strictObject({
  name: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  /** The rank, as in the summary of a contest, over all contests of the suite. */
  rank: z.int().nullable(),
  score: z.number().nullable(),
  interval: spread,
  strength: strengthSchema.nullable(),
  /** The share of contests in which the participant delivered, out of those in which it finished or failed through its own fault. */
  completion: shareSchema,
  /** The share of contests in which it delivered and passed all checks, out of those that have checks; null: no contest has checks. */
  passes: z
    .strictObject({
      ...shareSchema.shape,
      /** For each k, the probability that at least one of k attempts passes (`any`), and that all pass (`all`), as means over briefs. */
      chances: z.array(z.strictObject({ k: z.int(), any: z.number(), all: z.number(), briefs: z.int() })),
    })
    .nullable(),
  /** The mean over briefs of the share of checks that passed, by weight, from 0 to 1; null: nothing was checked. */
  checks: z.number().nullable(),
  /** The number of contests in which the participant's run did not finish, or did not start. */
  failedToRun: z.int(),
  notRun: z.int(),
  /** The versions of the agent's program, as reported. */
  versions: z.array(z.string()),
  /** The isolation levels at which it worked, the lowest first. Absent in summaries of older versions. */
  postures: z.array(z.enum(postures)).optional(),
  /** The number of contests by each way in which the participant failed to deliver. */
  failures: z.record(z.string(), z.int()),
  /**
   * The cost of all attempts, failed ones included, divided by the number of deliveries that passed all checks, or of all deliveries without
   * checks, with its 95% interval over briefs (null: fewer than three briefs). Null: there was none, or not all costs are known.
   */
  costPerSuccess: z.strictObject({ costUsd: z.number(), low: z.number().nullable(), high: z.number().nullable() }).nullable(),
  /** A participant that has a higher score at a lower cost per success; null: there is none, or it is not known. */
  dominatedBy: z.string().nullable(),
  ...usedSchema.shape,
})

const judgeSchema = z.strictObject({
  name: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  /** The number of contests in which the judge gave an answer that counts. `failed`: the number in which it failed. */
  answered: z.int(),
  failed: z.int(),
  card: reportCardSchema.nullable(),
  ...usedSchema.shape,
})

const runSchema = z.strictObject({
  repeat: z.int(),
  /** `not-run`: no part of it was started. `unfinished`: `paddock suite run` continues it. */
  state: z.enum(['complete', 'unfinished', 'not-run']),
  /** The reason why the contest is not complete, if known. */
  why: z.string().nullable(),
  /** Whether the contest has a report. It is in `runs/BRIEF/REPEAT/report/`. */
  hasReport: z.boolean(),
  results: z.array(
    z.strictObject({
      name: z.string(),
      score: z.number().nullable(),
      checks: z.strictObject({ passed: z.int(), counted: z.int() }),
      /** The participant's outcome; null: it was not run, or did not finish. */
      outcome: z.string().nullable(),
    }),
  ),
})

/** What is behind the ranking. Scores are those that count in it, from 0 to 100. */
const detailsSchema = z.strictObject({
  participants: z.array(
    z.strictObject({
      name: z.string(),
      /** The briefs with its lowest scores, at most three. */
      worst: z.array(z.strictObject({ brief: z.string(), score: z.number() })),
      /** The standard deviation of its scores between repeats of the same brief; null: no brief was repeated. */
      repeatSd: z.number().nullable(),
      /** The mean score by dimension, on the scale of the rubric. Empty if judges gave no scores. */
      dimensions: z.record(z.string(), z.number()),
    }),
  ),
  /** The mean scores over the briefs with each tag; null: not judged in any of them. */
  tags: z.array(
    z.strictObject({
      tag: z.string(),
      briefs: z.int(),
      scores: z.array(z.strictObject({ name: z.string(), score: z.number().nullable() })),
    }),
  ),
  /** The briefs in which the scores of the first two participants differ most, at most five. */
  differences: z.array(z.strictObject({ brief: z.string(), first: z.number(), second: z.number() })),
  /** The number of briefs in which `a` has a higher score than `b`, out of those in which both have one. Equal scores are half. */
  meetings: z.array(z.strictObject({ a: z.string(), b: z.string(), won: z.number(), of: z.int() })),
})

/** The schema of a suite's report/summary.json. */
export const suiteSummarySchema = z.strictObject({
  schemaVersion: z.literal(1),
  suite: z.string(),
  description: z.string().nullable(),
  generatedAt: z.string(),
  repeats: z.int(),
  rankedBy: z.enum(['judges', 'checks', 'checks-then-judges', 'nothing']),
  /** The verdict on the first place; null: not known. */
  verdict: verdictSchema.nullable(),
  ranking: z.array(competitorSchema),
  boards: z.array(boardSchema),
  /** Variants of participants, compared with the first variant. Empty if no participant has several. */
  variants: z.array(againstBaseSchema),
  judges: z.array(judgeSchema),
  agreement: z.array(agreementSchema),
  briefs: z.array(
    z.strictObject({
      name: z.string(),
      path: z.string(),
      problem: z.string().nullable(),
      tags: z.array(z.string()),
      runs: z.array(runSchema),
    }),
  ),
  details: detailsSchema,
  spent: z.strictObject({ money: z.number(), tokens: z.number() }),
  /** The cap of the budget that kept a cell from starting; null: no cap did, or it is not known. */
  reached: z.string().nullable(),
  notes: z.array(z.string()),
})

export type SuiteSummary = z.output<typeof suiteSummarySchema>
export type SuiteRow = SuiteSummary['ranking'][number]
export type Share = z.output<typeof shareSchema>
export type Used = z.output<typeof usedSchema>
