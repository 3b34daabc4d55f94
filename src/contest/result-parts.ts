import * as z from 'zod'
import { postures } from '../base/posture.ts'
import { summarySchema } from './ranking/contest-summary.ts'
import { checkResultSchema } from './state/check-result.ts'
import { statusSchema, taskStatusSchema } from './state/contest-state.ts'
import { outcomeSchema } from './state/participant-outcome.ts'

export const schemaVersion = z.literal(1)
/** The summary of a contest, as a named schema. */
export const contestSummary = summarySchema.meta({ id: 'ContestSummary' })

const plannedRun = z.strictObject({
  name: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  program: z.string(),
  login: z.string().nullable(),
  reaches: z.string().nullable(),
  posture: z.enum(postures),
  cells: z.int(),
  costUsd: z.number().nullable(),
})
export const cells = z.strictObject({ participants: z.int(), checks: z.int(), judges: z.int() })
/** The participants and judges that would run. */
export const plannedRoles = z.strictObject({ participants: z.array(plannedRun), judges: z.array(plannedRun) })

export const planSchema = z
  .strictObject({
    schemaVersion,
    contest: z.string(),
    round: z.int(),
    ...plannedRoles.shape,
    cells,
    parallel: z.int(),
    costUsd: z.number(),
    costUnknown: z.array(z.string()),
  })
  .meta({ id: 'ContestPlan' })

const judges = z.record(z.string(), taskStatusSchema.omit({ judge: true, id: true, given: true }))
export const judgedSchema = statusSchema.extend({ judges }).meta({ id: 'ContestStatus' })
export const standingSchema = statusSchema
  .extend({ judges, atWork: z.boolean().describe('Whether a process is working on it.') })
  .meta({ id: 'ContestStanding' })

/** A line of `contest judge --me`. */
export const yoursSchema = z.union([
  z.strictObject({ schemaVersion, link: z.string(), answered: z.int(), of: z.int() }),
  z.strictObject({
    schemaVersion,
    answered: z.int(),
    of: z.int(),
    consistent: z.unknown(),
    agreement: z.unknown(),
  }),
])

export const lintFields = {
  findings: z.array(z.strictObject({ level: z.enum(['fault', 'advice']), key: z.string(), message: z.string() })),
  tried: z
    .array(
      z.strictObject({
        name: z.string(),
        empty: checkResultSchema,
        onlyEnds: checkResultSchema.nullable().describe('Null if it was not tried, because nothing tells which files a submission has.'),
        oracle: checkResultSchema.nullable(),
      }),
    )
    .nullable(),
}

export const roleSchema = z.strictObject({
  name: z.string(),
  agent: z.string(),
  model: z.string().optional(),
  family: z.string().optional(),
  command: z.array(z.string()).optional(),
  files: z.string().optional(),
})

export const sideFile = z.strictObject({ sha256: z.string(), size: z.int(), executable: z.boolean() }).nullable()

export const removalSchema = z.strictObject({
  schemaVersion,
  dryRun: z.boolean(),
  removed: z.array(z.strictObject({ what: z.string(), path: z.string(), bytes: z.int() })),
  bytes: z.int(),
  bytesBefore: z.int(),
  bytesAfter: z.int(),
})

const trust = z.enum(['trusted', 'changed', 'unknown'])
/** The result of trusting a contest.yaml or suite.yaml. */
export const trustSchema = z.strictObject({
  schemaVersion,
  file: z.string(),
  sha256: z.string().describe('The hash of what it asks for.'),
  before: trust,
  trust,
  asksFor: z.array(z.strictObject({ key: z.string(), value: z.string() })),
})

export const consultationSchema = z.strictObject({
  schemaVersion,
  consultation: z.int(),
  participants: z.array(
    z.strictObject({
      participant: z.string(),
      round: z.int(),
      tree: z.string(),
      reviews: z.string().nullable().describe('The file with all reviews of this work.'),
      reviewers: z.array(
        z.strictObject({
          name: z.string(),
          reviewed: z.boolean(),
          outcome: outcomeSchema,
          durationMs: z.number(),
          costUsd: z.number().nullable(),
        }),
      ),
    }),
  ),
})

const paths = { written: z.array(z.string()), deleted: z.array(z.string()), same: z.array(z.string()) }
export const appliedSchema = z
  .strictObject({
    schemaVersion,
    project: z.string(),
    participant: z.string(),
    round: z.int(),
    tree: z.string(),
    to: z.enum(['files', 'branch', 'patch', 'look']),
    changes: z.array(z.strictObject({ path: z.string(), kind: z.string(), runsLater: z.string().nullable(), baseMoved: z.boolean() })),
    ...paths,
    committed: z.boolean().nullable(),
    commit: z.string().nullable(),
    left: z.int(),
    leftOut: z.int(),
    ignored: z.int(),
    copy: z.string().nullable(),
  })
  .meta({ id: 'ContestApplied' })
export const undoneSchema = z.strictObject({ schemaVersion, project: z.string(), participant: z.string(), round: z.int(), ...paths })
