import * as z from 'zod'

/** The schema of /contest/TASK.json in a judge's cell, which describes the requested answer for programs. */
export const taskFileSchema = z.strictObject({
  mode: z
    .enum(['rubric', 'pairwise'])
    .describe('`rubric`: score every submission, in scores.json. `pairwise`: choose the better of two, in verdict.json.'),
  order: z.array(z.string()).describe('The labels, in the order to look at them. Each is a directory in /contest/submissions.'),
  dimensions: z.array(z.string()).describe('The ids of the dimensions of the rubric.'),
  scale: z.strictObject({ min: z.number(), max: z.number() }).describe('The range of every score.'),
})

export type TaskFile = z.output<typeof taskFileSchema>
