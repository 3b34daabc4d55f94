import * as z from 'zod'
import { budgetUnits } from '../../fleet/budgets/budget-spent.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { usageGroups } from '../../fleet/store/usage-store.ts'
import type { App } from '../server-deps.ts'

export const usageSchema = z.object({
  jobs: z.int().describe('Number of jobs that have ended.'),
  unpriced: z.int().describe('Number of these jobs whose agent did not report a cost.'),
  input: z.number().describe('Tokens, including cached ones.'),
  output: z.number(),
  cachedInput: z.number(),
  costUsd: z.number().describe('The cost that agents reported.'),
  toolCalls: z.int(),
  wallMs: z.number(),
})
const day = z.iso.date()
const period = {
  from: day.optional().describe('The first day; 30 days before the last by default.'),
  to: day.optional().describe('The last day; today by default.'),
}
const daySchema = z.object({
  day: z.string(),
  name: z.string().nullable().describe('The name of the agent, the kind or the model (empty: not reported); null for all others.'),
  jobs: z.int(),
  tokens: z.number(),
  costUsd: z.number(),
})
const budgetSchema = z.object({
  agent: z.string().nullable().describe('The name of the agent; null for all agents together.'),
  period: z.enum(['day', 'month']),
  unit: z.enum(budgetUnits).describe('usd: US dollars · time: milliseconds with a running cell.'),
  limit: z.number(),
  used: z.number().describe('Used by jobs that have ended.'),
  since: z.string(),
  until: z.string(),
})
/** The most named series in a plot. */
const mostSeries = 4

/** Returns the days of a query. */
function daysOf(query: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const to = query.to ?? new Date().toISOString().slice(0, 10)
  return { from: query.from ?? new Date(Date.parse(to) - 30 * 86_400_000).toISOString().slice(0, 10), to }
}

/** `/api/v1/usage` and `/api/v1/budgets`: the use of the fleet, and its budgets. */
export function usageRoutes(app: App, { usage, budgets, agents }: Pick<Fleet, 'usage' | 'budgets' | 'agents'>): void {
  app.get(
    '/api/v1/usage',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getUsage',
        summary: 'Returns what jobs that ended in a range of days (UTC) used, including deleted agents and jobs.',
        querystring: z.strictObject({
          by: z.enum(usageGroups).default('agent').describe('What makes a group.'),
          ...period,
        }),
        response: {
          200: z.object({
            from: z.string(),
            to: z.string(),
            items: z.array(
              usageSchema.extend({
                name: z.string().describe('The name of the agent, the kind or the model (empty: not reported), or the day.'),
              }),
            ),
            total: usageSchema,
          }),
        },
      },
    },
    async ({ query }) => {
      const { from, to } = daysOf(query)
      const { items, total } = usage.read({ by: query.by, from, to })
      return { from, to, items: [...items], total }
    },
  )
  app.get(
    '/api/v1/usage/days',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getUsageDays',
        summary: `Returns what the ${mostSeries} agents, kinds or models with the highest cost used on each day (UTC), and all others together.`,
        querystring: z.strictObject({
          by: z.enum(usageGroups).exclude(['day']).default('model').describe('What makes a series.'),
          ...period,
        }),
        response: { 200: z.object({ from: z.string(), to: z.string(), items: z.array(daySchema) }) },
      },
    },
    async ({ query }) => {
      const days = daysOf(query)
      return { ...days, items: [...usage.days({ by: query.by, ...days, most: mostSeries })] }
    },
  )
  app.get(
    '/api/v1/budgets',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getBudgets',
        summary: 'Returns the budgets for a day and a month (UTC) of the fleet and its agents, and how much of each is used.',
        response: { 200: z.object({ items: z.array(budgetSchema) }) },
      },
    },
    async () => {
      const all = agents.list({ after: null, limit: 1_000, archived: false })
      const names = new Map(all.map(({ id, name }) => [id, name]))
      const items = budgets.used(all).map(({ agent, since, until, ...use }) => ({
        agent: agent === null ? null : (names.get(agent) ?? agent),
        ...use,
        since: new Date(since).toISOString(),
        until: new Date(until).toISOString(),
      }))
      return { items }
    },
  )
}
