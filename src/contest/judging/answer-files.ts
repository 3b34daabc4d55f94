import * as z from 'zod'
import { citationSchema, mostCitations } from './citations.ts'

/*
 * The answers of judges, and the files that a contest keeps of them. An answer is read by the strict parsers of scores.ts and verdicts.ts,
 * which also know the labels, dimensions and scale of its task, and report the problem in one sentence. These schemas are for programs that
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

/** /contest/outbox/scores.json, as a judge writes it. */
export const scoresAnswerSchema = z.strictObject({
  scores,
  reviews: reviews.exactOptional(),
  comment: z.string().exactOptional(),
  citations,
})

/** /contest/outbox/verdict.json, as a judge writes it. */
export const verdictAnswerSchema = z.strictObject({ better, why: z.string().exactOptional(), citations })

const kept = {
  schemaVersion: z.literal(1),
  judge: z.string(),
  /** For the judge `you`: the round. */
  judging: z.int(),
  task: z.string(),
  /** The attempt that gave this answer. */
  attempt: z.int(),
}

/** scores.json of a task, as a contest keeps it. */
export const scoresFileSchema = z.strictObject({
  ...kept,
  scores,
  reviews,
  comment: z.string().nullable(),
  citations: z.array(citationSchema).default([]),
})

/** verdict.json of a task, as a contest keeps it. */
export const verdictFileSchema = z.strictObject({
  ...kept,
  better,
  why: z.string().nullable(),
  citations: z.array(citationSchema).default([]),
})

export type ScoresFile = z.output<typeof scoresFileSchema>
export type VerdictFile = z.output<typeof verdictFileSchema>
