import * as z from 'zod'
import { manifestSchema } from './schema.ts'

/** JSON Schema (draft 2020-12) of a manifest, as editors and `docs/reference/` use it. */
export function agentJsonSchema(): object {
  return z.toJSONSchema(manifestSchema, { io: 'input' })
}
