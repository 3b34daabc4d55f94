import * as z from 'zod'
import { agentSchema } from '../../../server/routes/agent-routes.ts'
import { episodeSchema } from '../../../server/routes/memory-routes.ts'

export const agentResults = {
  'agent create': agentSchema,
  'agent list': z.strictObject({ items: z.array(agentSchema) }),
  'agent show': agentSchema,
  'agent edit': agentSchema,
  'agent approve': agentSchema,
  'agent start': agentSchema,
  'agent stop': agentSchema,
  'agent archive': agentSchema,
  'agent delete': z.strictObject({ deleted: z.string() }),
  'memory list': z.strictObject({ items: z.array(episodeSchema) }),
  'memory forget': z.strictObject({ forgotten: z.string().describe('The id of a job, or `all`.') }),
}
