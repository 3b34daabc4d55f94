import * as z from 'zod'
import { citationSchema, mostCitations } from './citations.ts'

/*
 * The answers of judges, and the files in which a contest keeps them. The strict parsers of scores.ts and verdicts.ts read an answer. They
 * also know the labels, dimensions and scale of its task, and report a problem in one sentence. These schemas are for programs that
 * write or read the files.
 */

const scores = z
  .record(z.string(), z.record(z.string(), z.number()))
  .describe('label → dimension → number, with exactly the labels and dimensions of TASK.json.')
const reviews = z.record(z.string(), z.string()).describe('label → text.')
const better = z.string().describe('The label of the better one, or `tie`.')

const citations = z
  .array(citationSchema.omit({ isFound: true }))
  .max(mostCitations)
  .exactOptional()
  .describe(
    'The lines that it cites as reasons: `file` relative to the directory of the label, `lines` with the first and the last, counted from 1.',
  )

/** The schema of /contest/outbox/scores.json, which a judge writes. */
export const scoresAnswerSchema = z.strictObject({
  scores,
  reviews: reviews.exactOptional(),
  comment: z.string().exactOptional(),
  citations,
})

/** The schema of /contest/outbox/verdict.json, which a judge writes. */
export const verdictAnswerSchema = z.strictObject({ better, why: z.string().exactOptional(), citations })

const kept = {
  schemaVersion: z.literal(1),
  judge: z.string(),
  /** The number of the judging, or of the round if the judge is `you`. */
  judging: z.int(),
  task: z.string(),
  /** The number of the attempt that gave this answer. */
  attempt: z.int(),
}

/** The schema of a task's scores.json in the contest's records. */
export const scoresFileSchema = z.strictObject({
  ...kept,
  scores,
  reviews,
  comment: z.string().nullable(),
  citations: z.array(citationSchema).default([]),
})

/** The schema of a task's verdict.json in the contest's records. */
export const verdictFileSchema = z.strictObject({
  ...kept,
  better,
  why: z.string().nullable(),
  citations: z.array(citationSchema).default([]),
})

export type ScoresFile = z.output<typeof scoresFileSchema>
export type VerdictFile = z.output<typeof verdictFileSchema>
