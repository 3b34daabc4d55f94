import * as z from 'zod'
import { budgetSchema } from '../../config/budget.ts'
import { budgetUnits, spentSchema } from '../../fleet/budgets/budget-spent.ts'
import { leaseAllowances } from '../../fleet/leases/lease-problem.ts'
import { topicsSchema } from '../../fleet/leases/topics.ts'
import type { Agents } from '../../fleet/store/agent-store.ts'
import type { Lease } from '../../fleet/store/lease-store.ts'

const left = z
  .partialRecord(z.enum(budgetUnits), z.number())
  .describe('What is left of its budget, for each unit in it; time in milliseconds. Running jobs count when they end.')

/** A lease as its borrower sees it. */
export const ownLeaseSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    agent: z.string().describe('The name of the agent.'),
    createdAt: z.string(),
    expiresAt: z.string(),
    budget: budgetSchema.nullable().describe('What all its jobs together may use; null if it has no budget.'),
    left,
    tools: z.array(z.string()).nullable().describe('The tools that a model may use; null: all that it has.'),
    hasTopics: z.boolean().describe('Whether some texts are refused because of their topic.'),
    terminal: z.enum(['read', 'type']).describe('Whether the borrower may open a terminal and type, bypassing topics and budget.'),
  })
  .meta({ id: 'OwnLease' })
export const leaseSchema = ownLeaseSchema
  .extend({
    agentId: z.string(),
    state: z.enum(['open', 'expired', 'revoked']),
    topics: topicsSchema.nullable(),
    spent: spentSchema.describe('What its ended jobs used; time in milliseconds.'),
    revokedAt: z.string().nullable(),
    endedAt: z.string().nullable().describe('When its jobs were ended.'),
  })
  .meta({ id: 'Lease' })

export function ownLeaseView(lease: Lease, agents: Pick<Agents, 'get'>): z.output<typeof ownLeaseSchema> {
  const { id, name, agent, createdAt, expiresAt, budget = null, tools = null, topics, terminal = 'read' } = lease
  const rest = leaseAllowances(lease).map(({ unit, limit, before }) => [unit, Math.max(0, limit - before)] as const)
  return {
    ...{ id, name, agent: agents.get(agent)?.name ?? agent, createdAt, expiresAt, budget },
    left: Object.fromEntries(rest),
    tools: tools === null ? null : [...tools],
    hasTopics: topics !== undefined,
    terminal,
  }
}

export function leaseView(lease: Lease, agents: Pick<Agents, 'get'>, now: number): z.output<typeof leaseSchema> {
  const { agent, topics = null, spent, revokedAt, endedAt, expiresAt } = lease
  const isOver = endedAt !== null || Date.parse(expiresAt) <= now
  const state = revokedAt !== null ? 'revoked' : isOver ? 'expired' : 'open'
  return { ...ownLeaseView(lease, agents), agentId: agent, state, topics, spent, revokedAt, endedAt }
}
