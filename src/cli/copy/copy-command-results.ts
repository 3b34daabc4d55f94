import * as z from 'zod'
import { appliedSchema, discardedSchema, reviewListSchema, reviewSchema } from '../../copy/copy-results.ts'

export const copyResults = {
  review: z.union([reviewSchema, reviewListSchema]).describe('The second form is for --list.'),
  apply: appliedSchema,
  discard: discardedSchema,
}
