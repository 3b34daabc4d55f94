import * as z from 'zod'
import { tokenSchema } from '../../../server/routes/token-routes.ts'

export const tokenResults = {
  'token create': z.strictObject({ token: z.string().describe('The secret.'), facts: tokenSchema }),
  'token list': z.strictObject({ items: z.array(tokenSchema) }),
  'token revoke': tokenSchema,
}
