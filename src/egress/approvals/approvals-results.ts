import * as z from 'zod'
import { answeredSchema, openQuestionSchema, rememberedSchema } from './approval-schema.ts'

const listed = z.strictObject({
  schemaVersion: z.literal(1),
  open: z.array(openQuestionSchema),
  remembered: rememberedSchema.shape.answers,
})

export const approvalResults = {
  approvals: listed,
  'approvals list': listed,
  'approvals allow': answeredSchema,
  'approvals deny': answeredSchema,
}
