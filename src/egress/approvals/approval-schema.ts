import * as z from 'zod'

const request = {
  method: z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/),
  path: z.string().regex(/^[!-~]{1,4096}$/),
  querySha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
}
const endpoint = { host: z.string().regex(/^[a-z0-9._-]{1,253}$/), port: z.int().min(1).max(65_535) }

/** `<state>/approvals/pending/<id>.json`: one question that waits for an answer. */
export const openQuestionSchema = z.strictObject({
  schemaVersion: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{8}$/),
  askedAt: z.iso.datetime(),
  /** The time at which the question is answered with no. */
  expiresAt: z.iso.datetime(),
  cell: z.string().max(100),
  cellName: z.string().max(200),
  ...endpoint,
  request: z
    .strictObject({ ...request, queryShown: z.string().max(300).optional() })
    .nullable()
    .describe('Null if the question is about a whole connection.'),
  source: z.string().max(200).describe('Where the rule that asks is from; `user`: the manifest, or the options of the run.'),
  /** The host process that asks. The start time is part of its identity, because a pid may be reused. */
  asker: z.strictObject({ pid: z.int().positive(), started: z.string().max(200) }),
})
export type OpenQuestion = z.infer<typeof openQuestionSchema>

/** `<state>/approvals/answers/<id>.json`: an answer that was given in another terminal. */
export const answerSchema = z.strictObject({
  schemaVersion: z.literal(1),
  id: z.string(),
  allowed: z.boolean(),
  scope: z.enum(['once', 'cell', 'always']),
})

/** `<config>/approvals.json`: answers that apply to every cell from now on. The user may edit it. */
export const rememberedSchema = z.strictObject({
  schemaVersion: z.literal(1),
  answers: z
    .array(z.strictObject({ ...endpoint, request: z.strictObject(request).nullable(), allowed: z.boolean(), at: z.iso.datetime() }))
    .max(10_000),
})
export type Remembered = z.infer<typeof rememberedSchema>['answers'][number]

/** The `--json` output of `paddock approvals allow` and `deny`. */
export const answeredSchema = z
  .strictObject({
    schemaVersion: z.literal(1),
    question: openQuestionSchema,
    allowed: z.boolean(),
    scope: z.enum(['once', 'cell', 'always']),
  })
  .meta({ id: 'ApprovalAnswered' })
