import * as z from 'zod'
import { type UsageStore, usageGroups } from '../../fleet/store/usage.ts'
import type { App } from '../deps.ts'

const usageSchema = z.object({
  jobs: z.int().describe('Jobs that have ended.'),
  unpriced: z.int().describe('Of these, those whose agent did not report what it cost.'),
  input: z.number().describe('Tokens, those out of a cache included.'),
  output: z.number(),
  cachedInput: z.number(),
  costUsd: z.number().describe('What agents reported.'),
  toolCalls: z.int(),
  wallMs: z.number(),
})
const day = z.iso.date()

/** `/api/v1/usage` */
export function usageRoutes(app: App, usage: Pick<UsageStore, 'read'>): void {
  app.get(
    '/api/v1/usage',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getUsage',
        summary: 'What jobs used that ended in some days (UTC), also of agents and jobs that were deleted.',
        querystring: z.strictObject({
          by: z.enum(usageGroups).default('agent'),
          from: day.optional().describe('The first day; 30 days before the last unless told.'),
          to: day.optional().describe('The last day; today unless told.'),
        }),
        response: {
          200: z.object({
            from: z.string(),
            to: z.string(),
            items: z.array(
              usageSchema.extend({ name: z.string().describe('Of the agent, of the model (empty: not reported), or the day.') }),
            ),
            total: usageSchema,
          }),
        },
      },
    },
    async ({ query }) => {
      const to = query.to ?? new Date().toISOString().slice(0, 10)
      const from = query.from ?? new Date(Date.parse(to) - 30 * 86_400_000).toISOString().slice(0, 10)
      const { items, total } = usage.read({ by: query.by, from, to })
      return { from, to, items: [...items], total }
    },
  )
}
