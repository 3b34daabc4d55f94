import * as z from 'zod'
import { manifestSchema } from './manifest-schema.ts'

/** Returns the JSON Schema (draft 2020-12) of a manifest, for editors and `docs/reference/`. */
export function agentJsonSchema(): object {
  return z.toJSONSchema(manifestSchema, { io: 'input' })
}
